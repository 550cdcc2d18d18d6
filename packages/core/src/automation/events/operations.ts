import { type Contract, type EventMessage, type OutputOf, type ParsedOf, QuireError } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { visibleRows } from '../activity/visible.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { isAgentCall } from '../../people/agent-calls.ts'
import { openCursor } from '../../engine/paging.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayReadInRepository, findRepository } from '../../engine/scope.ts'
import type { JournalRow } from '../../ports/index.ts'
import { eventList, eventMessage } from './event-message.ts'
import { serveEvents, type ChangeFeed } from './follow.ts'

type Stream = Contract['events']['stream']

/**
 * Entries that are read and checked for permissions at a time. At twice, a reader sees entries for
 * longer after losing the permission to read them.
 */
const step = 100

/** Milliseconds between reads of the journal for entries that other processes wrote. */
const othersMs = 1000

/**
 * Streams events in the order in which they were committed, without those that the caller may not
 * read at that moment. The rules are those of the activity log, but without its permission key,
 * because events contain nothing that only the log shows. Errors: `invalid` for an unknown
 * repository or last event id; `too_many_requests`.
 */
async function streamEvents(call: Call, input: ParsedOf<Stream>): Promise<OutputOf<Stream>> {
  const filter = await findFilter(call, input)
  const after = await findStart(call, input)
  return serveEvents(call, (feed) => eventsAfter(feed, filter, after))
}

async function findStart(call: Call, { lastEventId }: ParsedOf<Stream>): Promise<number> {
  if (lastEventId !== undefined) return sequenceOf(call, lastEventId)
  const [newest] = await call.store.journal.readBack({ limit: 1 })
  return newest?.sequence ?? 0
}

async function sequenceOf(call: Call, lastEventId: string): Promise<number> {
  const sequence = await openCursor(call, eventList, lastEventId).catch(() => null)
  if (typeof sequence === 'number') return sequence
  throw invalid([{ path: 'lastEventId', message: 'is not the id of an event of this service' }])
}

async function* eventsAfter(
  feed: ChangeFeed,
  filter: EventFilter,
  after: number,
): AsyncGenerator<StreamedEvent<EventMessage>> {
  const yieldToLoop = yieldingToLoop()
  let last = after
  for (let call = await feed.currentCall(); call; call = await feed.currentCall()) {
    const rows = await rowsAfter(call, filter, last)
    yield* eventsOf(
      call,
      rows.map((row) => (isVisible(call, filter, row) ? row : null)),
    )
    last = rows.at(-1)?.sequence ?? last
    if (rows.length < step) await feed.nextChange(othersMs)
    else await yieldToLoop()
  }
}

/**
 * The next entries. Streams at the same position share one read, unless something was committed
 * after it began.
 */
function rowsAfter(
  { store, shared }: Call,
  { repositoryId }: EventFilter,
  after: number,
): Promise<readonly JournalRow[]> {
  const narrowed = repositoryId !== undefined && { repositoryId }
  const read = () => store.journal.read({ after, limit: step, ...narrowed })
  return shared.join(`journal ${after} ${repositoryId ?? ''} ${shared.changes()}`, read)
}

/** Whether an entry matches the filter and is from a repository that the caller may see. */
function isVisible(call: Call, { matches }: EventFilter, row: JournalRow): boolean {
  return !isAgentCall(row) && matches(row) && mayReadInRepository(call, row.repositoryId)
}

async function* eventsOf(
  call: Call,
  rows: readonly (JournalRow | null)[],
): AsyncGenerator<StreamedEvent<EventMessage>> {
  for (const visible of await visibleRows(call, rows)) if (visible) yield streamedEvent(call, visible.row)
}

async function streamedEvent(call: Call, row: JournalRow): Promise<StreamedEvent<EventMessage>> {
  const data = await eventMessage(call, row)
  return { id: data.id, name: data.event, data }
}

export const events = { stream: streamEvents }

/** The entries that a stream follows. */
interface EventFilter {
  /** The only repository to follow; undefined: several, or all. */
  readonly repositoryId: string | undefined
  readonly matches: (row: JournalRow) => boolean
}

type Input = ParsedOf<Contract['events']['stream']>

/**
 * Errors: `invalid` for an unknown repository, with the same message for one that the caller may
 * not see.
 */
async function findFilter(call: Call, { repositories, events }: Input): Promise<EventFilter> {
  const ids = repositories && (await findRepositoryIds(call, repositories))
  const names = events && new Set<string>(events)
  return {
    repositoryId: ids?.size === 1 ? [...ids][0] : undefined,
    matches: ({ repositoryId, event }) => (ids?.has(repositoryId) ?? true) && (names?.has(event) ?? true),
  }
}

async function findRepositoryIds(call: Call, refs: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const [index, ref] of refs.entries())
    ids.add(await findRepositoryId(call, ref, `repositories.${index}`))
  return ids
}

async function findRepositoryId(call: Call, ref: string, path: string): Promise<string> {
  try {
    return (await findRepository(call, ref)).id
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found')
      throw invalid([{ path, message: error.message }])
    throw error
  }
}
