import { mayDo, mayReadBy, type Readable } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import type { Entity, EntityKind, JournalRow } from '../ports/index.ts'
import { logRules, type LogRules } from './kinds.ts'

/** An entry that the caller may see. */
export interface VisibleRow {
  readonly row: JournalRow
  readonly rules: LogRules
  /** What it is about as the line of the entry has it; null for what is gone, or lives on no line. */
  readonly head: Entity | null
}

/** What decides who may know of an entry: a thing on a line. */
interface Subject {
  readonly repositoryId: string
  readonly packageId: string | null
  readonly id: string
  readonly entity: EntityKind
  readonly rules: LogRules
}

/** Entries in their order, each null where the caller may not read what it is about. At most 1 000. */
export async function visibleRows(
  call: Call,
  rows: readonly (JournalRow | null)[],
): Promise<readonly (VisibleRow | null)[]> {
  const heads = await headsOf(
    call,
    rows.map((row) => row && subjectOf(row)),
  )
  const gone = new Map<string, Promise<Readable | null>>()
  return Promise.all(
    rows.map(async (row) => {
      const rules = row && logRules(row.event)
      if (!rules || !mayKnow(call, row, rules)) return null
      const subject = subjectOf(row)
      if (!subject) return { row, rules, head: null }
      const key = subjectKey(subject)
      const head = heads.get(key) ?? null
      if (!gone.has(key) && !head) gone.set(key, lastKnown(call, subject))
      const readable = head ?? (await gone.get(key))
      if (!readable || !mayRead(call, subject.rules, readable)) return null
      return { row, rules, head: rules.entity === null ? null : head }
    }),
  )
}

/** Whether the caller may know of such things there at all: of a kind, and in packages. */
function mayKnow(call: Call, { repositoryId, packageId }: JournalRow, { key, entity }: LogRules): boolean {
  const { permissions } = call.identity
  if (packageId !== null && !mayDo(permissions, 'packages.view', { repositoryId })) return false
  return key === null || entity !== null || mayDo(permissions, key, { repositoryId })
}

function mayRead(call: Call, { key }: LogRules, readable: Readable): boolean {
  return key === null || mayReadBy(call.identity.permissions, key, readable)
}

/** Null where keys alone decide. */
function subjectOf(row: JournalRow): Subject | null {
  const { repositoryId, packageId, entityId: id, event } = row
  const rules = logRules(event)
  if (rules?.entity) return { repositoryId, packageId, id, entity: rules.entity, rules }
  return rules?.kind === 'package' ? subjectInPackage(row) : null
}

/** What was taken into a package, or dropped from it. */
function subjectInPackage({ repositoryId, entityId, details }: JournalRow): Subject | null {
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

/** The heads that decide, on the line of each, deleted ones too. */
async function headsOf(
  call: Call,
  subjects: readonly (Subject | null)[],
): Promise<ReadonlyMap<string, Entity>> {
  const wanted = subjects.filter((subject) => subject !== null)
  const groups = Map.groupBy(wanted, ({ entity, packageId }) => `${entity} ${packageId ?? ''}`)
  const found = [...groups.values()].map((group) => headsOn(call, group))
  return new Map((await Promise.all(found)).flat())
}

/** Those of one kind on one line. */
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

// The newest entry of a thing on a line is among its newest, unless many packages took it up after that.
const looked = 20

/**
 * What decided who may read a thing that is gone, as the last entry on its line kept it; null when that is not known: then nobody may.
 * To take an item away for good must not open what its role lists closed.
 */
async function lastKnown(
  call: Call,
  { repositoryId, packageId, id: entityId }: Subject,
): Promise<Readable | null> {
  const rows = await call.store.journal.readBack({ repositoryId, entityId, limit: looked })
  const last = rows.find((row) => row.packageId === packageId)
  // Entries of before kept neither address nor readers.
  if (!last || !('address' in last.details)) return null
  const { readers = [] } = last.details
  const read = Array.isArray(readers) ? readers.map(String) : []
  return { repositoryId, type: last.entityType, roles: { read } }
}
