import { type Contract, type EventMessage, type OutputOf, type ParsedOf, QuireError } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { recordName, visibleRows } from '../activity/visible.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { openCursor, sealCursor } from '../../engine/paging.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mayReadInRepository, findRepository } from '../../engine/scope.ts'
import type { JournalRow } from '../../ports/index.ts'
import { serveEvents, type Following } from './follow.ts'

type Stream = Contract['events']['stream']

/** Entries that are read, and whose readers are looked at, at a time. At twice, what is taken away from a reader is seen for that much longer. */
const step = 100

/** Ms after which the journal is looked at for what other processes wrote. */
const othersMs = 1000

/** What the id of an event is sealed as: a plain number would tell how much is written in other repositories. */
const list = 'events'

/**
 * What happens, in the order in which it was committed, without what the caller may not read at that moment: by the rules of the log of a
 * repository, but for its key, as nothing is told here that only the log knows. Errors: `invalid` naming a repository or a place that is none;
 * `too_many_requests`.
 */
async function streamEvents(call: Call, input: ParsedOf<Stream>): Promise<OutputOf<Stream>> {
  const wanted = await wantedBy(call, input)
  const after = await startOf(call, input)
  return serveEvents(call, (following) => eventsAfter(following, wanted, after))
}

async function startOf(call: Call, { lastEventId }: ParsedOf<Stream>): Promise<number> {
  if (lastEventId !== undefined) return scopeOf(call, lastEventId)
  const [newest] = await call.store.journal.readBack({ limit: 1 })
  return newest?.sequence ?? 0
}

async function scopeOf(call: Call, lastEventId: string): Promise<number> {
  const scope = await openCursor(call, list, lastEventId).catch(() => null)
  if (typeof scope === 'number') return scope
  throw invalid([{ path: 'lastEventId', message: 'is not the id of an event of this service' }])
}

async function* eventsAfter(
  following: Following,
  wanted: EventFilter,
  after: number,
): AsyncGenerator<StreamedEvent<EventMessage>> {
  const yieldToLoop = yieldingToLoop()
  let last = after
  for (let call = await following.now(); call; call = await following.now()) {
    const rows = await rowsAfter(call, wanted, last)
    yield* eventsOf(
      call,
      rows.map((row) => (isKnowable(call, wanted, row) ? row : null)),
    )
    last = rows.at(-1)?.sequence ?? last
    if (rows.length < step) await following.change(othersMs)
    else await yieldToLoop()
  }
}

/** The next entries. Streams that stand at the same place read them together, unless something was committed since the one began to. */
function rowsAfter(
  { store, shared }: Call,
  { repositoryId }: EventFilter,
  after: number,
): Promise<readonly JournalRow[]> {
  const narrowed = repositoryId !== undefined && { repositoryId }
  const read = () => store.journal.read({ after, limit: step, ...narrowed })
  return shared.join(`journal ${after} ${repositoryId ?? ''} ${shared.changes()}`, read)
}

/** Whether an entry is asked for, of a repository that the caller may know of. */
function isKnowable(call: Call, { isWanted }: EventFilter, row: JournalRow): boolean {
  return isWanted(row) && mayReadInRepository(call, row.repositoryId)
}

async function* eventsOf(
  call: Call,
  rows: readonly (JournalRow | null)[],
): AsyncGenerator<StreamedEvent<EventMessage>> {
  for (const visible of await visibleRows(call, rows)) if (visible) yield eventOf(call, visible.row)
}

async function eventOf(call: Call, row: JournalRow): Promise<StreamedEvent<EventMessage>> {
  const { sequence, event, repositoryId, packageId, entityId, entityType, version, status, date, user } = row
  const id = await idOf(call, sequence)
  const packageName = packageId === null ? null : await recordName(call.store.records, 'package', packageId)
  const data = {
    id,
    event,
    repositoryId,
    packageName,
    entityId,
    entityType,
    version: version === null ? null : String(version),
    status,
    date,
    user,
  }
  return { id, name: event, data }
}

function idOf(call: Call, sequence: number): Promise<string> {
  const { eventIds } = call.shared
  const known = eventIds.get(sequence)
  if (known) return known
  const id = sealCursor(call, list, sequence)
  eventIds.set(sequence, id)
  id.catch(() => eventIds.delete(sequence))
  return id
}

/** What happens, while it happens. */
export const events = { stream: streamEvents }

/** What of the journal somebody follows. */
interface EventFilter {
  /** The one repository that all of it is of; undefined: several, or any. */
  readonly repositoryId: string | undefined
  /** Whether an entry is of it. */
  readonly isWanted: (row: JournalRow) => boolean
}

type Input = ParsedOf<Contract['events']['stream']>

/** What an input asks for. Errors: `invalid` naming a repository that is not there, in the same words for one that the caller may not see. */
async function wantedBy(call: Call, { repositories, events }: Input): Promise<EventFilter> {
  const ids = repositories && (await repositoryIds(call, repositories))
  const words = events && new Set<string>(events)
  return {
    repositoryId: ids?.size === 1 ? [...ids][0] : undefined,
    isWanted: ({ repositoryId, event }) => (ids?.has(repositoryId) ?? true) && (words?.has(event) ?? true),
  }
}

async function repositoryIds(call: Call, refs: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const [index, ref] of refs.entries()) ids.add(await repositoryId(call, ref, `repositories.${index}`))
  return ids
}

async function repositoryId(call: Call, ref: string, path: string): Promise<string> {
  try {
    return (await findRepository(call, ref)).id
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found')
      throw invalid([{ path, message: error.message }])
    throw error
  }
}
