import { FilterOperators, type Field } from '@quire/contract'
import { hostileText } from './hostile.ts'
import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

const members = [
  'id',
  'type',
  'name',
  'slug',
  'status',
  'folderId',
  'currentVersion',
  'latestVersion',
  'isArchived',
  'isPublished',
  'createdDate',
  'updatedDate',
  'publishedDate',
  'createdByUser.userName',
] as const

const comparing = FilterOperators.keyof().options

/** Names that a filter or sort may use: members, and the fields of some type. */
export function queryName(random: Random, pool: Pool): string {
  if (random.chance(0.4)) return random.pick(members)
  const path = fieldPath(pool.types.pick(random)?.fields ?? [], random)
  return path === undefined ? 'name' : `fields.${path}`
}

function fieldPath(fields: readonly Field[], random: Random): string | undefined {
  const field = random.pick(fields)
  if (!field) return undefined
  const inner = field.kind === 'group' ? fieldPath(field.settings.fields, random) : undefined
  return inner === undefined ? field.name : `${field.name}.${inner}`
}

function operand(random: Random): string {
  if (random.chance(0.25)) return hostileText(random).slice(0, 1500)
  return random.pick([
    wordOf(random),
    String(random.below(1000)),
    `${random.below(10)}.5`,
    'true',
    'false',
    'draft',
    'published',
    '1790000000000',
    '-1',
    '1e3',
    'ink',
    '',
  ])
}

/** The filter of a list in the form of a query string: pairs of name and text. */
export function filterPairs(random: Random, pool: Pool): [string, string][] {
  return Array.from({ length: 1 + random.below(3) }, (): [string, string] => {
    const name = queryName(random, pool)
    if (random.chance(0.3)) return [`filter[${name}]`, operand(random)]
    const operator = random.pick(comparing)
    const values = operator === 'in' || operator === 'nin' ? 1 + random.below(4) : 1
    const text = operator === 'exists' ? String(random.chance(0.5)) : ''
    return [
      `filter[${name}][${operator}]`,
      text || Array.from({ length: values }, () => operand(random)).join(','),
    ]
  })
}

/** The filter of a query in JSON form: conditions side by side and in `and`, `or` and `not`. */
export function queryFilter(random: Random, pool: Pool, depth = 0): Record<string, unknown> {
  const inner = () => queryFilter(random, pool, depth + 1)
  if (depth < 3 && random.chance(0.15)) return { and: [inner(), inner()] }
  if (depth < 3 && random.chance(0.15)) return { or: [inner(), inner()] }
  if (depth < 3 && random.chance(0.1)) return { not: inner() }
  const name = queryName(random, pool)
  const operator = random.pick(comparing) ?? 'eq'
  if (operator === 'exists') return { [name]: { exists: random.chance(0.5) } }
  if (operator === 'in' || operator === 'nin')
    return { [name]: { [operator]: [operand(random), operand(random)] } }
  return { [name]: random.pick<unknown>([{ [operator]: operand(random) }, operand(random), null]) }
}

/** The sort order of a list. */
export function sortText(random: Random, pool: Pool): string {
  const keys = Array.from(
    { length: 1 + random.below(3) },
    () => `${random.chance(0.5) ? '-' : ''}${queryName(random, pool)}`,
  )
  return keys.join(',')
}

/** A cursor: from an answer, or an invented one that looks similar. */
export function cursorText(random: Random, pool: Pool): string | undefined {
  const known = pool.cursors.pick(random)
  if (known !== undefined && random.chance(0.6)) return known
  const made = random.pick<unknown>([
    {
      sort: '-updatedDate',
      values: [random.pick<unknown>([1, null, 'x', true, 1e308, -1, {}, []])],
      id: 'CONT_1',
    },
    {
      sort: 'name',
      values: [random.pick<unknown>([1, null, 'x', true, '\0', '\u{d800}'])],
      id: hostileText(random),
    },
    { sort: '-updatedDate', values: [], id: 'CONT_1' },
    random.below(100),
    -1,
    1.5,
    null,
    'ROLE_1',
    '\u{ffff}',
    ['CONT_1'],
  ])
  return Buffer.from(JSON.stringify(made)).toString('base64url')
}

/** `select`: members and paths below `fields`. */
export function selectList(random: Random, pool: Pool): string[] {
  return Array.from({ length: 1 + random.below(4) }, () =>
    random.chance(0.1)
      ? hostileText(random).slice(0, 250)
      : (queryName(random, pool).split('.User')[0] ?? 'id'),
  )
}
