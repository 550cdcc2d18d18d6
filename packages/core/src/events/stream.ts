import type { Contract, EventMessage, OutputOf, ParsedOf } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { recordName } from '../activity/record-name.ts'
import { visibleRows } from '../activity/visible.ts'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { openCursor, sealCursor } from '../call/sealed-cursor.ts'
import { takingTurns } from '../call/turns.ts'
import { maySeeRepository } from '../lines/lines.ts'
import type { JournalRow } from '../ports/index.ts'
import { serveEvents, type Following } from './follow.ts'
import { wantedBy, type Wanted } from './wanted.ts'

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
export async function streamEvents(call: Call, input: ParsedOf<Stream>): Promise<OutputOf<Stream>> {
  const wanted = await wantedBy(call, input)
  const after = await startOf(call, input)
  return serveEvents(call, (following) => eventsAfter(following, wanted, after))
}

async function startOf(call: Call, { lastEventId }: ParsedOf<Stream>): Promise<number> {
  if (lastEventId !== undefined) return placeOf(call, lastEventId)
  const [newest] = await call.store.journal.readBack({ limit: 1 })
  return newest?.sequence ?? 0
}

async function placeOf(call: Call, lastEventId: string): Promise<number> {
  const place = await openCursor(call, list, lastEventId).catch(() => null)
  if (typeof place === 'number') return place
  throw invalid([{ path: 'lastEventId', message: 'is not the id of an event of this service' }])
}

async function* eventsAfter(
  following: Following,
  wanted: Wanted,
  after: number,
): AsyncGenerator<StreamedEvent<EventMessage>> {
  const turn = takingTurns()
  let last = after
  for (let call = await following.now(); call; call = await following.now()) {
    const rows = await rowsAfter(call, wanted, last)
    yield* eventsOf(
      call,
      rows.map((row) => (isKnowable(call, wanted, row) ? row : null)),
    )
    last = rows.at(-1)?.sequence ?? last
    if (rows.length < step) await following.change(othersMs)
    else await turn()
  }
}

/** The next entries. Streams that stand at the same place read them together, unless something was committed since the one began to. */
function rowsAfter(
  { store, shared }: Call,
  { repositoryId }: Wanted,
  after: number,
): Promise<readonly JournalRow[]> {
  const narrowed = repositoryId !== undefined && { repositoryId }
  const read = () => store.journal.read({ after, limit: step, ...narrowed })
  return shared.join(`journal ${after} ${repositoryId ?? ''} ${shared.changes()}`, read)
}

/** Whether an entry is asked for, of a repository that the caller may know of. */
function isKnowable(call: Call, { isWanted }: Wanted, row: JournalRow): boolean {
  return isWanted(row) && maySeeRepository(call, row.repositoryId)
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
