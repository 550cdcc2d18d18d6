import { isWhole, mayDo } from '../../engine/access/permissions.ts'
import { mayReadBy, type Readable } from '../../engine/access/role-lists.ts'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import {
  type Entity,
  type EntityKind,
  type JournalGroup,
  type JournalRow,
  type RecordKind,
  type RecordReader,
} from '../../ports/index.ts'
import { isAgentCall } from '../../people/agent-calls.ts'
import { recordKeys } from '../../adapters/record-keys.ts'
import type { LogKind, PermissionKey } from '@quire/contract'

/** The part of an entry that decides who may see it. */
type EntrySubject = Pick<
  JournalRow,
  'repositoryId' | 'packageId' | 'entityId' | 'entityType' | 'event' | 'details'
>

/** An entry that the caller may see. */
export interface VisibleRow<R extends EntrySubject = JournalRow> {
  readonly row: R
  readonly rules: LogRules
  /**
   * The head of its entity on the branch of the entry; null if the entity was removed, or does not
   * live on branches.
   */
  readonly head: Entity | null
}

/** The entity on a branch whose permissions decide who may see an entry. */
interface Subject {
  readonly repositoryId: string
  readonly packageId: string | null
  readonly id: string
  readonly entity: EntityKind
  readonly rules: LogRules
}

/**
 * Returns the entries in their order, with null for each whose subject the caller may not read. At
 * most 1 000 entries.
 */
export async function visibleRows<R extends EntrySubject>(
  call: Call,
  rows: readonly (R | null)[],
): Promise<readonly (VisibleRow<R> | null)[]> {
  const heads = await findHeads(
    call,
    rows.map((row) => row && subjectOf(row)),
  )
  const removed: RemovedSubjects = new Map()
  return Promise.all(
    rows.map(async (row) => {
      const rules = row && logRules(row.event)
      if (!rules || !mayReadKind(call, row, rules)) return null
      const subject = subjectOf(row)
      if (!subject) return { row, rules, head: null }
      const head = heads.get(subjectKey(subject)) ?? null
      if (!(await mayReadSubject(call, subject, head ?? removed))) return null
      return { row, rules, head: rules.entity === null ? null : head }
    }),
  )
}

/** A cache of `findLastReadable`, by subject. */
type RemovedSubjects = Map<string, Promise<Readable | null>>

/**
 * Whether the caller may read the subject of an entry, by its head or, if it was removed, by its
 * last known readers.
 */
async function mayReadSubject(
  call: Call,
  subject: Subject,
  head: Entity | RemovedSubjects,
): Promise<boolean> {
  if (isWhole(call.identity.permissions, subject.repositoryId)) return true
  const readable = head instanceof Map ? await lastReadable(call, subject, head) : head
  return readable !== null && mayRead(call, subject.rules, readable)
}

function lastReadable(call: Call, subject: Subject, removed: RemovedSubjects): Promise<Readable | null> {
  const key = subjectKey(subject)
  const readable = removed.get(key) ?? findLastReadable(call, subject)
  removed.set(key, readable)
  return readable
}

/** How many entries of the groups the caller may see. All groups must be of one repository. */
export async function countVisible(call: Call, groups: readonly JournalGroup[]): Promise<number> {
  const [first] = groups
  // A caller who may read the whole repository sees every entry, so that no head needs to be read.
  const isAll = first !== undefined && isWhole(call.identity.permissions, first.repositoryId)
  const seen = isAll ? groups.filter(({ event }) => logRules(event)) : await readableGroups(call, groups)
  return seen.reduce((sum, { count }) => sum + count, 0)
}

async function readableGroups(call: Call, groups: readonly JournalGroup[]): Promise<readonly JournalGroup[]> {
  const yieldToLoop = yieldingToLoop()
  // Groups of the same entity become neighbours, so that its head is read once.
  const sorted = groups.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1))
  const readable: JournalGroup[] = []
  for (let start = 0; start < sorted.length; start += headsAtOnce) {
    const visible = await visibleRows(call, sorted.slice(start, start + headsAtOnce))
    readable.push(...visible.flatMap((seen) => (seen ? [seen.row] : [])))
    await yieldToLoop()
  }
  return readable
}

const headsAtOnce = 1000

/**
 * Whether the caller may see any entries of this kind and, for an entry of a package, any packages.
 */
function mayReadKind(
  call: Call,
  { repositoryId, packageId }: EntrySubject,
  { key, entity }: LogRules,
): boolean {
  const { permissions } = call.identity
  if (packageId !== null && !mayDo(permissions, 'packages.view', { repositoryId })) return false
  return key === null || entity !== null || mayDo(permissions, key, { repositoryId })
}

function mayRead(call: Call, { key }: LogRules, readable: Readable): boolean {
  return key === null || mayReadBy(call.identity.permissions, key, readable)
}

/** Null if permission keys alone decide who may see the entry. */
function subjectOf(row: EntrySubject): Subject | null {
  const { repositoryId, packageId, entityId: id, event } = row
  const rules = logRules(event)
  if (rules?.entity) return { repositoryId, packageId, id, entity: rules.entity, rules }
  return rules?.kind === 'package' ? subjectInPackage(row) : null
}

/**
 * The entity that was added to a package or dropped from it; null for other entries of packages.
 */
function subjectInPackage({ repositoryId, entityId, details }: EntrySubject): Subject | null {
  const id = details['item'] ?? details['entity']
  if (typeof id !== 'string') return null
  const rules = logRules(eventsByPrefix.get(id.slice(0, id.indexOf('_'))) ?? '')
  return rules?.entity ? { repositoryId, packageId: entityId, id, entity: rules.entity, rules } : null
}

const eventsByPrefix: ReadonlyMap<string, string> = new Map([
  ['CONT', 'ITEM_'],
  ['FOLD', 'FOLDER_'],
  ['TAXO', 'TAXONOMY_'],
  ['CATG', 'CATEGORY_'],
  ['SITE', 'SITE_'],
  ['SECT', 'SECTION_'],
  ['PAGE', 'PAGE_'],
])

/** The heads of the subjects on their branches, including deleted ones. */
async function findHeads(
  call: Call,
  subjects: readonly (Subject | null)[],
): Promise<ReadonlyMap<string, Entity>> {
  const present = subjects.filter((subject) => subject !== null)
  const groups = Map.groupBy(present, ({ entity, packageId }) => `${entity} ${packageId ?? ''}`)
  const heads = [...groups.values()].map((group) => findHeadsOnBranch(call, group))
  return new Map((await Promise.all(heads)).flat())
}

/** The group must be of one kind on one branch. */
async function findHeadsOnBranch(
  call: Call,
  group: readonly Subject[],
): Promise<readonly (readonly [string, Entity])[]> {
  const [first] = group
  if (!first) return []
  const { repositoryId, packageId, entity } = first
  const ids = [...new Set(group.map(({ id }) => id))]
  const heads = await call.store.entities.getMany({ repositoryId, packageId }, entity, ids)
  return heads.map((head) => [subjectKey({ packageId, id: head.id }), head] as const)
}

function subjectKey({ packageId, id }: Pick<Subject, 'packageId' | 'id'>): string {
  return `${packageId ?? ''} ${id}`
}

// The last entry of an entity on its branch is among the newest 20 on all branches, unless many
// packages changed it later.
const lastEntries = 20

/**
 * The readers of a removed entity, as its last entry on the branch recorded them; null if they are
 * unknown, so that nobody may read it. Removing an item permanently must not reveal entries that
 * its role lists protected.
 */
async function findLastReadable(
  call: Call,
  { repositoryId, packageId, id: entityId }: Subject,
): Promise<Readable | null> {
  const rows = await call.store.journal.readBack({ repositoryId, entityId, limit: lastEntries })
  const last = rows.find((row) => row.packageId === packageId)
  // Earlier entries hold neither address nor readers.
  if (!last || !('address' in last.details)) return null
  const { readers = [] } = last.details
  const read = Array.isArray(readers) ? readers.map(String) : []
  return { repositoryId, type: last.entityType, roles: { read } }
}

/** The rules for the log entries of one kind. */
interface LogRules {
  readonly kind: LogKind
  /**
   * The permission to read things of this kind, and their entries; null: anyone who may see the log
   * may see them.
   */
  readonly key: PermissionKey | null
  /**
   * For things that live on branches: their entity kind, whose head decides who may read an entry.
   */
  readonly entity: EntityKind | null
}

/**
 * By the prefix of their events. The entity type would be ambiguous: a content type can have any
 * name, even "package".
 */
const rules: readonly (readonly [string, LogRules])[] = [
  ['ITEM_', { kind: 'item', key: 'items.read', entity: 'item' }],
  ['FOLDER_', { kind: 'folder', key: 'folders.read', entity: 'folder' }],
  ['TAXONOMY_', { kind: 'taxonomy', key: 'taxonomies.read', entity: 'taxonomy' }],
  ['CATEGORY_', { kind: 'category', key: 'taxonomies.read', entity: 'category' }],
  ['SITE_', { kind: 'site', key: 'sites.view', entity: 'site' }],
  ['SECTION_', { kind: 'section', key: 'sites.view', entity: 'section' }],
  ['PAGE_', { kind: 'page', key: 'sites.view', entity: 'page' }],
  ['PACKAGE_', { kind: 'package', key: 'packages.view', entity: null }],
  ['AUTO_PACKAGE_RULE_', { kind: 'autoPackageRule', key: 'packages.view', entity: null }],
  ['RENDITION_PRESET_', { kind: 'renditionPreset', key: 'assets.read', entity: null }],
  ['QUERY_', { kind: 'query', key: 'queries.run', entity: null }],
  ['WEBHOOK_', { kind: 'webhook', key: 'admin.webhooks.view', entity: null }],
  ['INDEX_', { kind: 'index', key: 'admin.indexes.view', entity: null }],
  ['CACHE_TAGS_', { kind: 'repository', key: null, entity: null }],
  ['AGENT_', { kind: 'account', key: null, entity: null }],
  ['REPOSITORY_', { kind: 'repository', key: null, entity: null }],
]

/** Null for events that do not belong to a repository; these are never in its log. */
export function logRules(event: string): LogRules | null {
  return rules.find(([prefix]) => event.startsWith(prefix))?.[1] ?? null
}

/**
 * The current name of a record; null when the record is gone or has no name, or when `kind` is not
 * a kind of record.
 */
export async function findRecordName(
  records: RecordReader,
  kind: string,
  id: string,
): Promise<string | null> {
  if (kind === 'account') return (await findAccountName(records, id)) ?? null
  const record: object | null = isRecordKind(kind) ? await records.get(kind, id) : null
  return record && 'name' in record && typeof record.name === 'string' ? record.name : null
}

async function findAccountName(records: RecordReader, id: string): Promise<string | undefined> {
  const account = (await records.get('serviceAccount', id)) ?? (await records.get('user', id))
  return account?.name
}

function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(recordKeys, kind)
}

/**
 * The comment of an entry: its own, or for a merge the name of the package if the caller may see
 * packages.
 */
export function commentOf(call: Call, { event, repositoryId, details }: JournalRow): { comment?: string } {
  const { comment, packageName } = details
  if (typeof comment === 'string') return { comment }
  if (typeof packageName !== 'string' || isAgentCall({ event })) return {}
  if (!mayDo(call.identity.permissions, 'packages.view', { repositoryId })) return {}
  return { comment: `Merged from the package "${packageName}"` }
}
