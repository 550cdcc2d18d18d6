import type {
  Condition,
  EntityWrite,
  Filter,
  QueryField,
  QueryMember,
  QueryValue,
  Reader,
  SortKey,
} from '@quire/core/ports'

/**
 * Whether an entity matches a filter, written as plainly as possible. Every store's answer is
 * compared with it.
 */
export function oracleMatches(entity: EntityWrite, filter: Filter): boolean {
  if ('all' in filter) return !filter.all.some((part) => !oracleMatches(entity, part))
  if ('any' in filter) return filter.any.some((part) => oracleMatches(entity, part))
  if ('not' in filter) return !oracleMatches(entity, filter.not)
  return conditionHolds(oracleValues(entity, filter.field), filter)
}

/**
 * Whether a reader may see an entity: by its read roles, and in a package also by those of main's head.
 * Archived ones are visible only on request.
 */
export function oracleSees(
  { type, archived, roles, mainReaders = [] }: EntityWrite,
  { archived: wanted, reader }: { archived: boolean; reader: Reader },
): boolean {
  if (archived && !wanted) return false
  if (reader.types !== 'all' && !reader.types.includes(type)) return false
  const { roles: held } = reader
  const admits = (list: readonly string[]) => list.length === 0 || list.some((role) => held.includes(role))
  return held === 'all' || (admits(roles.read) && admits(mainReaders))
}

/** Entities in the order of a query. */
export function oracleSorted(
  entities: readonly EntityWrite[],
  sort: readonly SortKey[],
): readonly EntityWrite[] {
  return entities.toSorted((a, b) => compareBy(a, b, sort))
}

/** The present values of a field: none, one, or those of a list. */
export function oracleValues(entity: EntityWrite, field: QueryField): readonly QueryValue[] {
  const values =
    'member' in field
      ? [memberOf[field.member](entity)]
      : entity.values.filter(({ path }) => path === field.path).map(({ value }) => value)
  return values.filter((value) => value !== null)
}

const memberOf: { readonly [M in QueryMember]: (entity: EntityWrite) => QueryValue | null } = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  name: ({ name }) => name,
  slug: ({ slug }) => slug,
  status: ({ archived, publishedVersion, version }) => {
    if (archived) return 'archived'
    return publishedVersion === version ? 'published' : 'draft'
  },
  parentId: ({ parentId }) => parentId,
  version: ({ version }) => version,
  archived: ({ archived }) => archived,
  published: ({ publishedVersion }) => publishedVersion !== null,
  createdDate: ({ createdDate }) => createdDate,
  updatedDate: ({ updatedDate }) => updatedDate,
  publishedDate: ({ publishedDate }) => publishedDate,
  createdBy: ({ createdBy }) => createdBy.userName,
  updatedBy: ({ updatedBy }) => updatedBy.userName,
}

/** All members that queries may name. */
export const allMembers: readonly QueryMember[] = Object.keys(memberOf).filter(
  (name): name is QueryMember => name in memberOf,
)

function conditionHolds(values: readonly QueryValue[], condition: Condition): boolean {
  if (condition.op === 'ne') return !values.includes(condition.value)
  if (condition.op === 'nin') return !values.some((value) => condition.value.includes(value))
  if (condition.op === 'exists') return condition.value === values.length > 0
  return values.some((value) => valueHolds(value, condition))
}

function valueHolds(value: QueryValue, { op, value: operand }: Condition): boolean {
  if (typeof operand === 'object') return operand.includes(value)
  if (typeof value !== typeof operand) return false
  return operators[op]?.(value, operand) ?? false
}

type Operator = (value: QueryValue, operand: QueryValue) => boolean

const operators: Readonly<Partial<Record<Condition['op'], Operator>>> = {
  eq: (value, operand) => value === operand,
  gt: (value, operand) => compareValues(value, operand) > 0,
  gte: (value, operand) => compareValues(value, operand) >= 0,
  lt: (value, operand) => compareValues(value, operand) < 0,
  lte: (value, operand) => compareValues(value, operand) <= 0,
  contains: (value, operand) => fold(String(value)).includes(fold(String(operand))),
  startsWith: (value, operand) => fold(String(value)).startsWith(fold(String(operand))),
}

function fold(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function compareBy(a: EntityWrite, b: EntityWrite, sort: readonly SortKey[]): number {
  for (const { field, descending } of sort) {
    const order = compareOptional(oracleValues(a, field)[0], oracleValues(b, field)[0])
    if (order !== 0) return descending ? -order : order
  }
  return compareValues(a.id, b.id)
}

function compareOptional(a: QueryValue | undefined, b: QueryValue | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareValues(a, b)
}

/**
 * Booleans before numbers before text. Text is ordered by code point; JavaScript's `<` differs
 * beyond the BMP.
 */
export function compareValues(a: QueryValue, b: QueryValue): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  const at = left.findIndex((point, index) => point !== right[index])
  return at < 0 ? left.length - right.length : (left[at] ?? -1) - (right[at] ?? -1)
}
