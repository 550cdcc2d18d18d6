import { QuireError, type ContentType, type Field, type Issue } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type {
  EntityReader,
  JsonObject,
  Line,
  PresentedEntity,
  QueryValue,
  Snapshot,
  StoreReader,
} from '../ports/index.ts'
import { checkValues } from '../types/values.ts'
import { categoryIssues } from './categories.ts'
import { contentOf, type ItemContent } from './content.ts'

/**
 * A content as it can be kept. At every save are checked kinds and formats of the values, and that the folder, categories and roles named are
 * there (DESIGN "Items": a draft may be incomplete). Errors: `invalid` naming each member; `value_taken` for a unique value.
 */
export async function requireSoundContent(
  store: StoreReader,
  { line, type, content, id, previous }: ContentToCheck,
): Promise<ItemContent> {
  const before = previous ? contentOf(previous) : null
  const { values, issues } = await checkValues(type.fields, content.fields)
  const categories = await categoryIssues(store.entities, line, content.categories)
  const all = [
    ...issues,
    ...categories.filter((issue) => !isKept(before?.categories, content.categories, issue)),
    ...(content.folderId === before?.folderId
      ? []
      : await folderIssues(store.entities, line, content.folderId)),
    ...(await roleIssues(store, content, before)),
  ]
  if (all.length > 0) throw invalid(all)
  await requireUniqueValues(store.entities, { line, type, values, id })
  return { ...content, fields: values }
}

/** A content to be kept. What it names as its previous version did is not looked for again: others may have deleted it. */
interface ContentToCheck {
  readonly line: Line
  readonly type: ContentType
  readonly content: ItemContent
  readonly id: string
  readonly previous: Snapshot | null
}

function isKept(before: readonly string[] = [], after: readonly string[], { path }: Issue): boolean {
  return before.includes(after[Number(path.split('.').at(-1))] ?? '')
}

async function folderIssues(entities: EntityReader, line: Line, folderId: string | null): Promise<Issue[]> {
  if (folderId === null) return []
  const folder = await entities.get(line, 'folder', folderId)
  return folder && folder.deletedDate === null
    ? []
    : [{ path: 'folderId', message: `there is no folder "${folderId}"` }]
}

async function roleIssues(
  store: StoreReader,
  content: ItemContent,
  before: ItemContent | null,
): Promise<Issue[]> {
  const issues: Issue[] = []
  for (const member of ['readPerm', 'writePerm', 'deletePerm'] as const) {
    for (const [index, id] of content[member].entries()) {
      const isKnown = before?.[member].includes(id) || (await store.records.get('role', id)) !== null
      if (!isKnown) issues.push({ path: `${member}.${index}`, message: `there is no role "${id}"` })
    }
  }
  return issues
}

/** Errors: `value_taken` when another item of the type on the line has the value of a unique field. */
export async function requireUniqueValues(
  entities: EntityReader,
  { line, type, values, id }: { line: Line; type: ContentType; values: JsonObject; id: string },
): Promise<void> {
  const [taken] = await takenValues(entities, { line, type, values, id })
  if (!taken) return
  const path = `fields.${taken.field}`
  throw new QuireError('value_taken', `${path}: another ${type.name} has this value.`, { details: { path } })
}

/** The values of unique fields that another item of the type on the line has, with that item. */
export async function takenValues(
  entities: EntityReader,
  { line, type, values, id }: { line: Line; type: ContentType; values: JsonObject; id: string },
): Promise<{ field: string; value: QueryValue; holderId: string }[]> {
  const taken = []
  for (const field of type.fields) {
    const value = values[field.name]
    if (!field.unique || !isScalar(value)) continue
    const holder = await holderOf(entities, { line, type, field, value, id })
    if (holder) taken.push({ field: field.name, value, holderId: holder.id })
  }
  return taken
}

/** Whether a value can be compared: what `unique` is about. */
export function isScalar(value: unknown): value is QueryValue {
  return typeof value === 'string' || typeof value === 'number'
}

async function holderOf(
  entities: EntityReader,
  {
    line,
    type,
    field,
    value,
    id,
  }: { line: Line; type: ContentType; field: Field; value: QueryValue; id: string },
): Promise<PresentedEntity | undefined> {
  const { entities: holders } = await entities.list(line, {
    kind: 'item',
    reader: { types: [type.name], roles: 'all' },
    filter: { field: { path: field.name, list: false }, op: 'eq', value },
    archived: true,
    sort: [],
    limit: 2,
    count: false,
  })
  return holders.find((holder) => holder.id !== id)
}
