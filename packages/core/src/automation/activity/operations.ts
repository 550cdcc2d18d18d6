import {
  limits,
  type Contract,
  type LogEntry,
  type OutputOf,
  type ParsedOf,
  itemActions,
} from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { type Counted, badCursor, openCursor, sealCursor } from '../../engine/paging.ts'
import { findPackage, findRepository, findScope } from '../../engine/scope.ts'
import type { JournalRow, JournalTally, Entity } from '../../ports/index.ts'
import { commentOf, recordName, visibleRows, type VisibleRow, countVisible } from './visible.ts'
import { scopeBefore, readBack, isTooOld } from './read-back.ts'
import { findItem } from '../../content/items/find.ts'
import { visibleVersions } from '../../content/kinds/versions.ts'

type List = Contract['activity']['list']
type Input = ParsedOf<List>

/**
 * What was done in a repository, on every branch, newest first, without what the caller may not read.
 * Errors: `not_found` for the repository or the package of the filter; `forbidden`; `invalid` for a cursor that is none.
 */
async function listActivity(call: Call, input: Input): Promise<OutputOf<List>> {
  const { id: repositoryId } = await findRepository(call, input.configId)
  requirePermission(call, 'activity.view', { repositoryId })
  const wanted = await wantedOf(call, repositoryId, input)
  const { limit = limits.pageDefault } = input
  const scope = await startOf(call, wanted, input.cursor)
  const { seen, next } = await readBack(call, { ...wanted, before: scope.before, limit }, (rows) =>
    visibleRows(
      call,
      rows.map((row) => (isWanted(row, wanted) ? row : null)),
    ),
  )
  const items: LogEntry[] = []
  for (const visible of seen) items.push(await entryOf(call, visible))
  const counted = input.skipCount === true ? {} : await scope.counted()
  return {
    ...counted,
    items,
    ...(next !== null && { nextCursor: await cursorOf(call, wanted, { before: next, counted }) }),
  }
}

/** Which entries, whoever may see them. */
type EntryFilter = Omit<JournalTally, 'limit' | 'before' | 'detailed'>

/** Errors: `not_found` for the package. */
async function wantedOf(
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

/** The same of one entry, whose repository and entity are right. */
function isWanted(row: JournalRow, { userName, event, packageId, since, until }: EntryFilter): boolean {
  return (
    (userName ?? row.user.userName) === row.user.userName &&
    (event ?? row.event) === row.event &&
    (packageId === undefined || row.packageId === packageId || row.entityId === packageId) &&
    (since ?? row.date) <= row.date &&
    (until === undefined || row.date < until)
  )
}

/** Where a page begins, and how many entries the whole list has. */
interface Start {
  readonly before: number | undefined
  readonly counted: () => Promise<Counted>
}

/** Errors: `invalid` for a cursor that is none. */
async function startOf(call: Call, wanted: EntryFilter, cursor: string | undefined): Promise<Start> {
  if (cursor === undefined) {
    const before = await newestOf(call, wanted)
    return {
      before,
      counted: () => countEntries(call, { ...wanted, ...(before !== undefined && { before }) }),
    }
  }
  const sealed = await openCursor(call, listName(wanted.repositoryId), cursor)
  if (!isSealed(sealed)) throw badCursor()
  const { before, counted, of } = sealed
  // What the first page counted holds for those after it: nobody pays for the count of a long log with each of its pages.
  const isKnown = counted.count !== undefined && of === asked(call, wanted)
  return {
    before,
    counted: async () => (isKnown ? counted : (await startOf(call, wanted, undefined)).counted()),
  }
}

/** The place before which the first page begins; undefined: the end of the journal. */
async function newestOf(
  call: Call,
  { repositoryId, entityId, until }: EntryFilter,
): Promise<number | undefined> {
  if (until === undefined || entityId !== undefined) return undefined
  return scopeBefore(call, { repositoryId, until })
}

/** What a cursor holds. */
interface Sealed {
  readonly before: number
  readonly counted: Counted
  /** Who asked for what. */
  readonly of: string
}

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && 'counted' in value
}

function cursorOf(
  call: Call,
  wanted: EntryFilter,
  scope: Pick<Sealed, 'before' | 'counted'>,
): Promise<string> {
  return sealCursor(call, listName(wanted.repositoryId), { ...scope, of: asked(call, wanted) })
}

function asked({ identity }: Call, wanted: EntryFilter): string {
  return JSON.stringify([identity.owner, wanted])
}

function listName(repositoryId: string): string {
  return `activity:${repositoryId}`
}

async function entryOf(call: Call, { row, rules: { kind }, head }: VisibleRow): Promise<LogEntry> {
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
      name: head?.name ?? (await recordName(records, entityType, entityId)),
    },
    version: version === null ? null : String(version),
    status,
    packageName: packageId === null ? null : await recordName(records, 'package', packageId),
    user,
    address: typeof address === 'string' ? address : null,
    requestId,
    ...commentOf(call, row),
  }
}

type Get = Contract['activity']['get']
type Entry = OutputOf<Get>['activity'][number]

/**
 * What was done to an item on the branch that holds it, newest first (specification 2.11): in a package that left it alone what main did.
 * Errors: `not_found`, for a deleted item too; `invalid` for a cursor that is none.
 */
async function getActivity(call: Call, input: ParsedOf<Get>): Promise<OutputOf<Get>> {
  const scope = await findScope(call, input)
  const head = await findItem(call, scope, input.assetId)
  const list = `activity:${head.id}:${head.packageId ?? ''}`
  const before = input.cursor === undefined ? undefined : await openCursor(call, list, input.cursor)
  if (before !== undefined && typeof before !== 'number') throw badCursor()
  const wanted = { repositoryId: head.repositoryId, entityId: head.id, before }
  const { seen, next } = await readBack(
    call,
    { ...wanted, limit: input.limit ?? limits.pageMost },
    async (rows) => rows.map((row) => (row.packageId === head.packageId ? itemEntryOf(call, row) : null)),
  )
  return {
    versionHistory: await versionNumbers(call, head),
    activity: [...seen],
    ...(next !== null && { nextCursor: await sealCursor(call, list, next) }),
  }
}

const actions: ReadonlyMap<string, Entry['action']> = new Map(Object.entries(itemActions))

function itemEntryOf(call: Call, row: JournalRow): Entry | null {
  const action = actions.get(row.event)
  if (!action) return null
  return {
    version: String(row.version),
    action,
    timestamp: new Date(row.date).toISOString(),
    user: row.user,
    status: row.status ?? '',
    ...commentOf(call, row),
  }
}

/** The newest first. Looked for, not counted: a type may have forgotten old ones in the past. */
async function versionNumbers(call: Call, head: Entity): Promise<string[]> {
  const numbers: string[] = []
  for await (const { version } of visibleVersions(call.store.entities, head)) {
    numbers.push(String(version))
    if (numbers.length === limits.pageMost) break
  }
  return numbers
}

/** What was done, and by whom. */
export const activity = { get: getActivity, list: listActivity }

/** How many entries there are that the caller may see, among the newest of those that are ever looked at. */
async function countEntries(call: Call, wanted: Omit<JournalTally, 'limit'>): Promise<Counted> {
  // What was done to a package may be about a thing in it, which its details name.
  const query = { ...wanted, detailed: 'PACKAGE_', limit: limits.counted }
  const { groups, older } = await call.store.journal.tally(query)
  const count = await countVisible(call, groups)
  const isExact = older === null || isTooOld(older, wanted.since ?? 0)
  return { count, ...(!isExact && { countIsExact: false as const }) }
}
