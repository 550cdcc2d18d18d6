import type { EventMessage } from '@quire/contract'
import type { Recorded, Running, WriteCall } from '../../engine/call.ts'
import { messageOf } from '../../engine/hooks/fault.ts'
import { hooksOf } from '../../engine/hooks/head.ts'
import { operationsBefore } from '../../engine/hooks/hooks.ts'
import { timeoutMsOf, withTimeLimit } from '../../engine/hooks/time-limit.ts'
import { systemCall } from '../../engine/system-call.ts'
import type { JournalEntry, JournalRow, StoreReader } from '../../ports/index.ts'
import { eventMessage } from '../events/event-message.ts'

/** Called at the end of a transaction, inside it, with what it recorded. */
type QueueAfter = (call: WriteCall, recorded: Recorded) => Promise<void>

/**
 * Events that may wait for their hooks, about 1 kB each. Beyond it they are dropped: a hook that is
 * slower than the writes would fill the memory.
 */
const mostWaiting = 10_000

/**
 * Queues the events of a transaction for the hooks `after`, which run once it is committed: one
 * after another, in the order of the commits. Costs one read of the journal for each event that has
 * a hook.
 */
export function createAfterHooks(running: Running): QueueAfter {
  const { environment, shared } = running
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  let sequence = 0
  const runNext = async (entry: JournalEntry) => {
    try {
      const row = await rowOf(environment.store, entry, sequence)
      sequence = row.sequence
      await runAfter(running, row)
    } catch (error) {
      const { event, entityId, requestId } = entry
      environment.log.write('error', 'hook.failed', {
        hook: nameOf(entry),
        event,
        entityId,
        requestId,
        cause: messageOf(error),
      })
    }
  }
  const add = (entry: JournalEntry) => {
    const { event, entityId } = entry
    if (waiting >= mostWaiting || shared.isStopping()) {
      environment.log.write('error', 'hook.dropped', { hook: nameOf(entry), event, entityId })
      return
    }
    waiting += 1
    last = last.then(() => runNext(entry)).finally(() => void (waiting -= 1))
    shared.afterwards(last)
  }
  return async (call, { entries }) => {
    const due = entries.filter((entry) => hasAfter(running, entry))
    if (due.length === 0) return
    call.afterCommit(() => {
      for (const entry of due) add(entry)
    })
  }
}

/** Entries of one entity to look through for the one that was committed. */
const mostSearched = 1000

/**
 * The row of a committed entry, above a sequence number: the rows of one process are in the order
 * in which it commits them. Errors: StoreUnavailable; throws if it is not among the entity's newest.
 */
async function rowOf(
  { journal }: StoreReader,
  { repositoryId, entityId, ...entry }: JournalEntry,
  above: number,
): Promise<JournalRow> {
  const newest = await journal.readBack({ repositoryId, entityId, limit: mostSearched })
  const found = newest.findLast(
    (row) =>
      row.sequence > above &&
      row.requestId === entry.requestId &&
      row.event === entry.event &&
      row.version === entry.version,
  )
  if (!found) throw new Error('The entry is not among the newest of its entity.')
  return found
}

/** Runs the hook for an event. Errors: those of the hook. */
async function runAfter(running: Running, row: JournalRow): Promise<void> {
  const event: EventMessage = await eventMessage(systemCall(running, 'hooks'), row)
  await withTimeLimit({ ms: timeoutMsOf(running.environment) }, (signal) =>
    hooksOf(running, kindOf(row))?.after?.(event, { signal }),
  )
}

type EventName = Pick<JournalRow, 'event'>

function hasAfter(running: Running, entry: EventName): boolean {
  return hooksOf(running, kindOf(entry))?.after !== undefined
}

function nameOf(entry: EventName): string {
  return `${kindOf(entry)}.after`
}

/** The versioned kind of an event, by the first word of its name; empty for all others. */
function kindOf({ event }: EventName): string {
  const [word = ''] = event.toLowerCase().split('_')
  return Object.hasOwn(operationsBefore, word) ? word : ''
}
