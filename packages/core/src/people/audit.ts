import type { JournalEvent } from '@quire/contract'
import type { Call } from '../engine/call.ts'
import { recordEvent } from '../engine/journal.ts'
import type { RecordChange } from '../engine/record-rules.ts'
import { isSame } from '../engine/same.ts'
import type { JournalEntry, JsonObject, Json } from '../ports/index.ts'

/** The kinds of things that make up the security. */
export const securityKinds = [
  'role',
  'bundle',
  'user',
  'group',
  'serviceAccount',
  'session',
  'signingKey',
  'serverKey',
  'repository',
  'accessConfiguration',
  'workflowConnection',
  'workflowDefinition',
  'settings',
] as const

type SecurityKind = (typeof securityKinds)[number]

/** A change of the security. */
export interface SecurityChange {
  readonly kind: SecurityKind
  readonly id: string
  /** What it was and what it is; null: nothing. */
  readonly before?: object | null
  readonly after?: object | null
}

// What changes with every write, and what nobody is to read in a log.
const untold: ReadonlySet<string> = new Set(['revision', 'updatedDate', 'createdDate', 'epoch', 'secrets'])

/** What the audit log keeps of a change: each member that differs, from what to what, and the address of the caller. */
export function securityEvent(
  call: Call,
  event: JournalEvent,
  { kind, id, before = null, after = null }: SecurityChange,
): JournalEntry {
  return recordEvent(call, event, { kind, id, details: { changed: changesOf(before, after) } })
}

/** The entry of records of a kind, as `securityEvent` has it, with what may be told of them. Default: all. */
export function auditEntry<R extends { readonly id: string }>(
  kind: SecurityKind,
  reported: (record: R) => object = (record) => record,
): (call: Call, event: JournalEvent, change: RecordChange<R>) => JournalEntry {
  return (call, event, { before, after }) => {
    const { id = '' } = after ?? before ?? {}
    return securityEvent(call, event, {
      kind,
      id,
      before: before && reported(before),
      after: after && reported(after),
    })
  }
}

function changesOf(before: object | null, after: object | null): JsonObject {
  const from = membersOf(before)
  const to = membersOf(after)
  const names = [...new Set([...from.keys(), ...to.keys()])].filter((name) => !untold.has(name))
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = { from: from.get(name) ?? null, to: to.get(name) ?? null }
      return isSame(change.from, change.to) ? [] : [[name, change] as const]
    }),
  )
}

// Records are JSON.
function membersOf(record: object | null): ReadonlyMap<string, Json> {
  return new Map(Object.entries(record ?? {}) as [string, Json][])
}
