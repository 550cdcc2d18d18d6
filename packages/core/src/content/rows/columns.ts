import { innerFields, type ContentType, type Field } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { isSame } from '../../engine/same.ts'
import { rulesOf } from '../fields/index.ts'
import { checkValues } from '../types/values.ts'

/** A column of a table, and the member of an item that it holds. */
export interface Column {
  readonly name: string
  /** `name`, `fields.title`, `fields.seo.title`. */
  readonly path: string
  /** The field; null for other members. */
  readonly field: Field | null
}

/** Members that an import can set. */
const settable = [
  'name',
  'slug',
  'description',
  'folderId',
  'categories',
  'readPerm',
  'writePerm',
  'deletePerm',
]

/** Members that only an export has. An import ignores them, so that an export can be imported. */
const readable = [
  'id',
  'type',
  'status',
  'currentVersion',
  'latestVersion',
  'isPublished',
  'isArchived',
  'createdDate',
  'updatedDate',
  'publishedDate',
]

const byDefault = ['id', 'name', 'slug', 'description', 'folderId', 'categories']

/** The columns as given, or one for each usual member and each field. Errors: `invalid`. */
export function columnsOf(type: ContentType, given: Readonly<Record<string, string>> | undefined): Column[] {
  if (given) return Object.entries(given).map(([name, path]) => columnAt(type, { name, path }))
  return [...byDefault.map((path) => ({ name: path, path, field: null })), ...fieldColumns(type.fields)]
}

/** The columns of a file without a mapping: their names are members. Errors: `invalid`. */
export function columnsNamed(type: ContentType, names: readonly string[]): Column[] {
  return names.map((name) => columnAt(type, { name, path: name }))
}

/** The fields of single groups have a column each; everything else is one value. */
function fieldColumns(fields: readonly Field[], prefix = 'fields.'): Column[] {
  return fields.flatMap((field): Column[] => {
    const path = prefix + field.name
    const inner = membersOf(field)
    return inner.length > 0 ? fieldColumns(inner, `${path}.`) : [{ name: path, path, field }]
  })
}

function membersOf(field: Field): readonly Field[] {
  const [inner] = innerFields(field)
  return !field.list && inner?.variant === null ? inner.fields : []
}

function columnAt(
  { name: type, fields }: ContentType,
  { name, path }: { name: string; path: string },
): Column {
  if (settable.includes(path) || readable.includes(path)) return { name, path, field: null }
  const [root, ...names] = path.split('.')
  const field = root === 'fields' ? fieldAt(fields, names) : undefined
  if (!field)
    throw invalid([
      { path: `columns.${name}`, message: `there is no member "${path}" in items of the type "${type}"` },
    ])
  return { name, path, field }
}

function fieldAt(fields: readonly Field[], [name, ...rest]: readonly string[]): Field | undefined {
  const field = fields.find((one) => one.name === name)
  return field && rest.length > 0 ? fieldAt(membersOf(field), rest) : field
}

/** Whether only an export has a member. */
export function isReadOnly(path: string): boolean {
  return readable.includes(path)
}

/** The value of a member of an item, as it is sent: categories are a list of their ids. */
export function valueAt(item: JsonObject, path: string): Json {
  if (path === 'categories') return categoriesIn(item)
  let value: Json | undefined = item
  for (const name of path.split('.')) value = isJsonObject(value) ? value[name] : undefined
  return value ?? null
}

function categoriesIn({ taxonomies }: JsonObject): Json {
  const groups = Array.isArray(taxonomies) ? taxonomies.filter(isJsonObject) : []
  const all = groups.flatMap(({ categories }) => (Array.isArray(categories) ? categories : []))
  return all.filter(isJsonObject).map(({ id = null }) => id)
}

/** Whether an item has a value, as it would be stored, already. Categories have no order. */
export async function hasValue(item: JsonObject, { path, field }: Column, value: Json): Promise<boolean> {
  const before = valueAt(item, path)
  if (path === 'categories') return isSame(sorted(before), sorted(value))
  if (!field || value === null) return isSame(value, before)
  const { values, issues } = await checkValues([field], { [field.name]: value })
  return issues.length === 0 && isSame(values[field.name] ?? null, before)
}

function sorted(value: Json): Json {
  return Array.isArray(value) ? value.map(String).toSorted() : value
}

/** The members that a row sets, as `items.update` takes them. Null removes a value. */
export function patchOf(columns: readonly Column[], row: JsonObject): JsonObject {
  const patch: Record<string, Json> = {}
  for (const { name, path } of columns) {
    const value = row[name]
    if (value !== undefined) setAt(patch, path.split('.'), value)
  }
  return patch
}

function setAt(holder: Record<string, Json>, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    holder[name] = value
    return
  }
  const inner = isJsonObject(holder[name]) ? { ...holder[name] } : {}
  setAt(inner, rest, value)
  holder[name] = inner
}

/** A cell of CSV as a value. An empty cell is no value. */
export function valueOfCell({ path, field }: Column, text: string): Json {
  if (text === '') return path === 'description' ? '' : null
  if (!field)
    return ['categories', 'readPerm', 'writePerm', 'deletePerm'].includes(path) ? listOf(text) : text
  const isWhole = field.list || rulesOf(field).comparison === null
  const parsed = isWhole ? jsonOf(text) : undefined
  if (parsed !== undefined) return parsed
  if (!field.list) return rulesOf(field).convert(text)
  return listOf(text).map((entry) => rulesOf(field).convert(entry))
}

/** JSON, or texts with commas between them. */
function listOf(text: string): string[] {
  const parsed = jsonOf(text)
  if (Array.isArray(parsed)) return parsed.map(String)
  return text.split(',').map((part) => part.trim())
}

/** The JSON in a text; undefined if it is none. */
export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
