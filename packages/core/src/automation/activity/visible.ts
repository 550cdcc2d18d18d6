import { isWhole, mayDo, mayReadBy, type Readable } from '../../engine/access/permissions.ts'
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
import { recordKeys } from '../../adapters/record-keys.ts'
import type { LogKind, PermissionKey } from '@quire/contract'

/** What of an entry decides who may see it. */
type EntrySubject = Pick<
  JournalRow,
  'repositoryId' | 'packageId' | 'entityId' | 'entityType' | 'event' | 'details'
>

/** An entry that the caller may see. */
export interface VisibleRow<R extends EntrySubject = JournalRow> {
  readonly row: R
  readonly rules: LogRules
  /** What it is about as the branch of the entry has it; null for what is gone, or lives on no branch. */
  readonly head: Entity | null
}

/** What decides who may know of an entry: a thing on a branch. */
interface Subject {
  readonly repositoryId: string
  readonly packageId: string | null
  readonly id: string
  readonly entity: EntityKind
  readonly rules: LogRules
}

/** Entries in their order, each null where the caller may not read what it is about. At most 1 000. */
export async function visibleRows<R extends EntrySubject>(
  call: Call,
  rows: readonly (R | null)[],
): Promise<readonly (VisibleRow<R> | null)[]> {
  const heads = await headsOf(
    call,
    rows.map((row) => row && subjectOf(row)),
  )
  const gone: Gone = new Map()
  return Promise.all(
    rows.map(async (row) => {
      const rules = row && logRules(row.event)
      if (!rules || !mayKnow(call, row, rules)) return null
      const subject = subjectOf(row)
      if (!subject) return { row, rules, head: null }
      const head = heads.get(subjectKey(subject)) ?? null
      if (!(await isOpen(call, subject, head ?? gone))) return null
      return { row, rules, head: rules.entity === null ? null : head }
    }),
  )
}

/** What decided who may read things that are gone, as far as it was looked up. */
type Gone = Map<string, Promise<Readable | null>>

/** Whether the caller may read what an entry is about: its head, or what was last known of it. */
async function isOpen(call: Call, subject: Subject, head: Entity | Gone): Promise<boolean> {
  if (isWhole(call.identity.permissions, subject.repositoryId)) return true
  const readable = head instanceof Map ? await lastKnownOnce(call, subject, head) : head
  return readable !== null && mayRead(call, subject.rules, readable)
}

function lastKnownOnce(call: Call, subject: Subject, gone: Gone): Promise<Readable | null> {
  const key = subjectKey(subject)
  const found = gone.get(key) ?? lastKnown(call, subject)
  gone.set(key, found)
  return found
}

/** How many entries of groups the caller may see. */
export async function countVisible(call: Call, groups: readonly JournalGroup[]): Promise<number> {
  const [first] = groups
  // Nothing is closed to this one: no head need be read.
  const isAll = first !== undefined && isWhole(call.identity.permissions, first.repositoryId)
  const seen = isAll ? groups.filter(({ event }) => logRules(event)) : await readableGroups(call, groups)
  return seen.reduce((sum, { count }) => sum + count, 0)
}

async function readableGroups(call: Call, groups: readonly JournalGroup[]): Promise<readonly JournalGroup[]> {
  const yieldToLoop = yieldingToLoop()
  // What is said of one thing is beside each other, so that its head is read once.
  const sorted = groups.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1))
  const found: JournalGroup[] = []
  for (let start = 0; start < sorted.length; start += headsAtOnce) {
    const visible = await visibleRows(call, sorted.slice(start, start + headsAtOnce))
    found.push(...visible.flatMap((seen) => (seen ? [seen.row] : [])))
    await yieldToLoop()
  }
  return found
}

const headsAtOnce = 1000

/** Whether the caller may know of such things there at all: of a kind, and in packages. */
function mayKnow(call: Call, { repositoryId, packageId }: EntrySubject, { key, entity }: LogRules): boolean {
  const { permissions } = call.identity
  if (packageId !== null && !mayDo(permissions, 'packages.view', { repositoryId })) return false
  return key === null || entity !== null || mayDo(permissions, key, { repositoryId })
}

function mayRead(call: Call, { key }: LogRules, readable: Readable): boolean {
  return key === null || mayReadBy(call.identity.permissions, key, readable)
}

/** Null where keys alone decide. */
function subjectOf(row: EntrySubject): Subject | null {
  const { repositoryId, packageId, entityId: id, event } = row
  const rules = logRules(event)
  if (rules?.entity) return { repositoryId, packageId, id, entity: rules.entity, rules }
  return rules?.kind === 'package' ? subjectInPackage(row) : null
}

/** What was taken into a package, or dropped from it. */
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

/** The heads that decide, on the branch of each, deleted ones too. */
async function headsOf(
  call: Call,
  subjects: readonly (Subject | null)[],
): Promise<ReadonlyMap<string, Entity>> {
  const wanted = subjects.filter((subject) => subject !== null)
  const groups = Map.groupBy(wanted, ({ entity, packageId }) => `${entity} ${packageId ?? ''}`)
  const found = [...groups.values()].map((group) => headsOn(call, group))
  return new Map((await Promise.all(found)).flat())
}

/** Those of one kind on one branch. */
async function headsOn(
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

// The newest entry of a thing on a branch is among its newest, unless many packages took it up after that.
const looked = 20

/**
 * What decided who may read a thing that is gone, as the last entry on its branch kept it; null when that is not known: then nobody may.
 * To take an item away for good must not open what its role lists closed.
 */
async function lastKnown(
  call: Call,
  { repositoryId, packageId, id: entityId }: Subject,
): Promise<Readable | null> {
  const rows = await call.store.journal.readBack({ repositoryId, entityId, limit: looked })
  const last = rows.find((row) => row.packageId === packageId)
  // Earlier entries hold neither address nor readers.
  if (!last || !('address' in last.details)) return null
  const { readers = [] } = last.details
  const read = Array.isArray(readers) ? readers.map(String) : []
  return { repositoryId, type: last.entityType, roles: { read } }
}

/** What the log needs to know of a kind of thing. */
interface LogRules {
  readonly kind: LogKind
  /** What lets one read such a thing, and so know what was done to it; null: who may see the log may. */
  readonly key: PermissionKey | null
  /** Of a thing that lives on branches: its kind there, where who may read it is decided by its head. */
  readonly entity: EntityKind | null
}

/** By what their events begin with: a type of content may be called anything, also "package". */
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
  ['REPOSITORY_', { kind: 'repository', key: null, entity: null }],
]

/** What the log makes of an event; null for those that are of no repository: they are never in its log. */
export function logRules(event: string): LogRules | null {
  return rules.find(([prefix]) => event.startsWith(prefix))?.[1] ?? null
}

/** What a record of a kind is called now; null when it is gone, has no name, or is no record. */
export async function recordName(records: RecordReader, kind: string, id: string): Promise<string | null> {
  const record: object | null = isRecordKind(kind) ? await records.get(kind, id) : null
  return record && 'name' in record && typeof record.name === 'string' ? record.name : null
}

function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(recordKeys, kind)
}

/** What was said of an entry: by its caller, or by the merge that brought it, for those who may know of the package. */
export function commentOf(call: Call, { repositoryId, details }: JournalRow): { comment?: string } {
  const { comment, packageName } = details
  if (typeof comment === 'string') return { comment }
  if (typeof packageName !== 'string') return {}
  if (!mayDo(call.identity.permissions, 'packages.view', { repositoryId })) return {}
  return { comment: `Merged from the package "${packageName}"` }
}
