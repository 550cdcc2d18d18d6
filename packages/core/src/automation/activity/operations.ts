import {
  limits,
  type Contract,
  type LogEntry,
  type OutputOf,
  type ParsedOf,
  itemActions,
} from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { agentCallMember, isAgentCall } from '../../people/agent-calls.ts'
import { programMember } from '../../engine/journal.ts'
import { type Counted, badCursor, openCursor, sealCursor } from '../../engine/paging.ts'
import { findPackage, findRepository } from '../../engine/scope.ts'
import type { JournalRow, JournalTally, Entity } from '../../ports/index.ts'
import { commentOf, findRecordName, visibleRows, type VisibleRow, countVisible } from './visible.ts'
import { findSequence, readBack, isTooOld } from './read-back.ts'
import { visibleVersions } from '../../content/kinds/versions.ts'
import type { ItemTarget } from '../../content/items/find.ts'

type List = Contract['activity']['list']
type Input = ParsedOf<List>

/**
 * The log of a repository on all its branches, newest first, without entries about things that the
 * caller may not read. Errors: `not_found` for the repository or the package of the filter;
 * `forbidden`; `invalid` for a bad cursor.
 */
async function listActivity(call: Call, input: Input): Promise<OutputOf<List>> {
  const { id: repositoryId } = await findRepository(call, input.configId)
  requirePermission(call, 'activity.view', { repositoryId })
  const filter = await findFilter(call, repositoryId, input)
  const { limit = limits.pageDefault } = input
  const start = await findStart(call, filter, input.cursor)
  const { values, next } = await readBack(call, { ...filter, before: start.before, limit }, (rows) =>
    visibleRows(
      call,
      rows.map((row) => (matches(row, filter) ? row : null)),
    ),
  )
  const items: LogEntry[] = []
  for (const visible of values) items.push(await serializeEntry(call, visible))
  const counted = input.skipCount === true ? {} : await start.count()
  return {
    ...counted,
    items,
    ...(next !== null && { nextCursor: await sealPosition(call, filter, { before: next, counted }) }),
  }
}

/** The requested entries, before the caller's permissions are applied. */
type EntryFilter = Omit<JournalTally, 'limit' | 'before' | 'detailed'>

/** Errors: `not_found` for the package. */
async function findFilter(
  call: Call,
  repositoryId: string,
  { entityId, user, event, packageName, since, until }: Input,
): Promise<EntryFilter> {
  const inPackage = packageName === undefined ? null : await findPackage(call, repositoryId, packageName)
  return {
    repositoryId,
    ...(entityId !== undefined && { entityId }),
    ...(user !== undefined && { userName: user }),
    ...(event !== undefined && { event }),
    ...(inPackage && { packageId: inPackage.id }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

/** Whether an entry matches the filter. Its repository and entity must already match. */
function matches(row: JournalRow, { userName, event, packageId, since, until }: EntryFilter): boolean {
  return (
    (userName ?? row.user.userName) === row.user.userName &&
    (event === undefined ? !isAgentCall(row) : event === row.event) &&
    (packageId === undefined || row.packageId === packageId || row.entityId === packageId) &&
    (since ?? row.date) <= row.date &&
    (until === undefined || row.date < until)
  )
}

interface PageStart {
  /** The journal sequence before which the page begins; undefined: the end of the journal. */
  readonly before: number | undefined
  /** Counts the entries of the whole list. */
  readonly count: () => Promise<Counted>
}

/** Errors: `invalid` for a bad cursor. */
async function findStart(call: Call, filter: EntryFilter, cursor: string | undefined): Promise<PageStart> {
  if (cursor === undefined) {
    const before = await findFirstPosition(call, filter)
    return {
      before,
      count: () => countEntries(call, { ...filter, ...(before !== undefined && { before }) }),
    }
  }
  const position = await openCursor(call, listName(filter.repositoryId), cursor)
  if (!isPosition(position)) throw badCursor()
  const { before, counted, of } = position
  // Later pages reuse the count of the first one: counting a long log for every page would be
  // expensive.
  const isKnown = counted.count !== undefined && of === queryKey(call, filter)
  return {
    before,
    count: async () => (isKnown ? counted : (await findStart(call, filter, undefined)).count()),
  }
}

/** The journal sequence before which the first page begins; undefined: the end of the journal. */
async function findFirstPosition(
  call: Call,
  { repositoryId, entityId, until }: EntryFilter,
): Promise<number | undefined> {
  if (until === undefined || entityId !== undefined) return undefined
  return findSequence(call, { repositoryId, until })
}

/** The content of a cursor. */
interface Position {
  readonly before: number
  readonly counted: Counted
  /** The caller and the filter that `counted` is for. */
  readonly of: string
}

function isPosition(value: unknown): value is Position {
  return typeof value === 'object' && value !== null && 'counted' in value
}

function sealPosition(
  call: Call,
  filter: EntryFilter,
  position: Pick<Position, 'before' | 'counted'>,
): Promise<string> {
  return sealCursor(call, listName(filter.repositoryId), { ...position, of: queryKey(call, filter) })
}

function queryKey({ identity }: Call, filter: EntryFilter): string {
  return JSON.stringify([identity.owner, filter])
}

function listName(repositoryId: string): string {
  return `activity:${repositoryId}`
}

async function serializeEntry(call: Call, { row, rules: { kind }, head }: VisibleRow): Promise<LogEntry> {
  const { records } = call.store
  const { date, event, entityId, entityType, version, status, packageId, user, requestId } = row
  const { address } = row.details
  return {
    timestamp: new Date(date).toISOString(),
    event,
    entity: {
      kind,
      id: entityId,
      type: kind === 'item' ? entityType : null,
      name: head?.name ?? (await findRecordName(records, entityType, entityId)),
    },
    version: version === null ? null : String(version),
    status,
    packageName: packageId === null ? packageNamed(row) : await findRecordName(records, 'package', packageId),
    user,
    address: typeof address === 'string' ? address : null,
    requestId,
    ...programMember(row),
    ...agentCallMember(row),
    ...commentOf(call, row),
  }
}

/** The package that a call of an agent named; null for every other entry. */
function packageNamed({ event, details: { packageName } }: JournalRow): string | null {
  return isAgentCall({ event }) && typeof packageName === 'string' ? packageName : null
}

type Get = Contract['activity']['get']
type Entry = OutputOf<Get>['activity'][number]

/**
 * The activity of an item on the branch that holds it, newest first (specification 2.11). In a
 * package that has not changed the item, this is its activity on main. Errors: `not_found`, also
 * for a deleted item; `invalid` for a bad cursor.
 */
async function getActivity(
  call: Call,
  input: ParsedOf<Get>,
  { item: head }: ItemTarget,
): Promise<OutputOf<Get>> {
  const list = `activity:${head.id}:${head.packageId ?? ''}`
  const before = input.cursor === undefined ? undefined : await openCursor(call, list, input.cursor)
  if (before !== undefined && typeof before !== 'number') throw badCursor()
  const { values, next } = await readBack(
    call,
    { repositoryId: head.repositoryId, entityId: head.id, before, limit: input.limit ?? limits.pageMost },
    async (rows) =>
      rows.map((row) => (row.packageId === head.packageId ? serializeItemEntry(call, row) : null)),
  )
  return {
    versionHistory: await versionNumbers(call, head),
    activity: [...values],
    ...(next !== null && { nextCursor: await sealCursor(call, list, next) }),
  }
}

const actions: ReadonlyMap<string, Entry['action']> = new Map(Object.entries(itemActions))

/** Null for an event that is not in the activity of items. */
function serializeItemEntry(call: Call, row: JournalRow): Entry | null {
  const action = actions.get(row.event)
  if (!action) return null
  return {
    version: String(row.version),
    action,
    timestamp: new Date(row.date).toISOString(),
    user: row.user,
    status: row.status ?? '',
    ...programMember(row),
    ...commentOf(call, row),
  }
}

/**
 * Newest first. Read from the store, because a retention setting of the content type may have
 * deleted old versions.
 */
async function versionNumbers(call: Call, head: Entity): Promise<string[]> {
  const numbers: string[] = []
  for await (const { version } of visibleVersions(call.store.entities, head)) {
    numbers.push(String(version))
    if (numbers.length === limits.pageMost) break
  }
  return numbers
}

export const activity = { get: getActivity, list: listActivity }

/** Counts the entries that the caller may see, among the newest `limits.counted` entries. */
async function countEntries(call: Call, filter: Omit<JournalTally, 'limit'>): Promise<Counted> {
  // An entry about a package may concern an entity in it, which is named in the entry's details.
  const query = { ...filter, detailed: 'PACKAGE_', limit: limits.counted }
  const { groups, older } = await call.store.journal.tally(query)
  const count = await countVisible(
    call,
    filter.event === undefined ? groups.filter((group) => !isAgentCall(group)) : groups,
  )
  const isExact = older === null || isTooOld(older, filter.since ?? 0)
  return { count, ...(!isExact && { countIsExact: false as const }) }
}
