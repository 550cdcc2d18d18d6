import type { EventMessage } from '@quire/contract'
import type { Recorded, Running, WriteCall } from '../../engine/call.ts'
import { messageOf } from '../../engine/hooks/fault.ts'
import { hooksOf } from '../../engine/hooks/head.ts'
import { operationsBefore } from '../../engine/hooks/hooks.ts'
import { timeoutMsOf, withTimeLimit } from '../../engine/hooks/time-limit.ts'
import { systemCall } from '../../engine/system-call.ts'
import type { JournalRow } from '../../ports/index.ts'
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
 * after another, in the order of the commits. Costs one read of the journal for each transaction
 * with an event that has a hook.
 */
export function createAfterHooks(running: Running): QueueAfter {
  const { environment, shared } = running
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  const add = (row: JournalRow) => {
    if (waiting >= mostWaiting || shared.isStopping()) {
      environment.log.write('error', 'hook.dropped', { hook: nameOf(row), sequence: row.sequence })
      return
    }
    waiting += 1
    last = last.then(() => runAfter(running, row)).finally(() => void (waiting -= 1))
    shared.afterwards(last)
  }
  return async (call, { entries }) => {
    if (!entries.some((entry) => hasAfter(running, entry))) return
    // Its own entries are the newest: no other transaction writes meanwhile.
    const newest = await call.store.journal.readBack({ limit: entries.length })
    const rows = newest.toReversed().filter((row) => hasAfter(running, row))
    call.afterCommit(() => {
      for (const row of rows) add(row)
    })
  }
}

/** Runs the hook for an event. Never fails: errors are logged. */
async function runAfter(running: Running, row: JournalRow): Promise<void> {
  const { environment } = running
  try {
    const event: EventMessage = await eventMessage(systemCall(running, 'hooks'), row)
    await withTimeLimit({ ms: timeoutMsOf(environment) }, (signal) =>
      hooksOf(running, kindOf(row))?.after?.(event, { signal }),
    )
  } catch (error) {
    const { event, entityId, requestId } = row
    environment.log.write('error', 'hook.failed', {
      hook: nameOf(row),
      event,
      entityId,
      requestId,
      cause: messageOf(error),
    })
  }
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
