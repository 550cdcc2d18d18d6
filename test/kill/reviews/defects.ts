import { randomUUID } from 'node:crypto'
import type { Outbound, RecordReader, Store, Transaction, WorkflowRecord } from '@quire/core/ports'
import { acknowledgeEarly } from '../mutant.ts'

/** Defects of a service that break a promise which the driver checks. */
export const defects = ['forgetful', 'rekeyed', 'early'] as const

export type Defect = (typeof defects)[number]

/** Ports with a defect. */
export interface Ports {
  readonly store: Store
  readonly outbound: Outbound
}

/** The arguments of `node` that serve a data folder with a defect. */
export function serveDefective(defect: Defect): (folder: string) => string[] {
  return (folder) => ['--conditions=quire-source', 'test/kill/reviews/defective-server.ts', folder, defect]
}

/**
 * Ms between an acknowledgement and its commit: about as long as a reviewer takes to see an answer.
 */
const heldMs = 40

/** Adds a defect to sound ports. */
export const withDefect: Readonly<Record<Defect, (sound: Ports) => Ports>> = {
  forgetful: ({ store, outbound }) => ({ store: forgetful(store), outbound }),
  rekeyed: ({ store, outbound }) => ({ store, outbound: rekeyed(outbound) }),
  early: ({ store, outbound }) => ({ store: acknowledgeEarly(store, heldMs), outbound }),
}

/** Uses a new idempotency key in each attempt. */
function rekeyed(outbound: Outbound): Outbound {
  return {
    ...outbound,
    send: (request) => {
      const headers = request.headers.map(([name, value]) =>
        name === 'idempotency-key' ? ([name, randomUUID()] as const) : ([name, value] as const),
      )
      return outbound.send({ ...request, headers })
    },
  }
}

type Pending = Pick<WorkflowRecord, 'pending' | 'held'>

/** Keeps pending requests to an engine, and callbacks that arrive meanwhile, only in memory. */
function forgetful(store: Store): Store {
  const known = new Map<string, Pending>()
  return {
    ...store,
    records: remembering(store.records, known),
    transaction: (work, options) => store.transaction((tx) => work(forgetting(tx, known)), options),
  }
}

function forgetting(tx: Transaction, known: Map<string, Pending>): Transaction {
  const { records } = tx
  const put: typeof records.put = (kind, record, expected) => {
    if (kind !== 'workflow') return records.put(kind, record, expected)
    // Records of this kind belong to a workflow.
    const { pending, held } = record as unknown as WorkflowRecord
    known.set(record.id, { pending, held })
    return records.put(kind, { ...record, pending: null, held: [] }, expected)
  }
  return { ...tx, records: { ...records, ...remembering(records, known), put } }
}

function remembering<R extends RecordReader>(records: R, known: ReadonlyMap<string, Pending>): R {
  const get: RecordReader['get'] = async (kind, id) => {
    const found = await records.get(kind, id)
    return found && kind === 'workflow' ? { ...found, ...known.get(id) } : found
  }
  return { ...records, get }
}
