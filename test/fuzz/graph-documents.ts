import type { Field } from '@quire/contract'
import { fieldValues } from './field-values.ts'
import { args, Bare, Id, Typed, type Arguments, type Variables } from './graph-arguments.ts'
import { filterOf, sortOf } from './graph-filters.ts'
import { itemSelection, objectName, objectSelection, type Selecting } from './graph-selections.ts'
import type { GraphDocument, Making } from './hinting.ts'
import { hostileText } from './hostile.ts'
import { cursorText } from './list-queries.ts'
import type { KnownItem, KnownType } from './pool.ts'
import { preparedPackage } from './prepare.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

/** The input for building documents. */
interface DocumentOptions extends Selecting {
  readonly making: Making
  readonly item: KnownItem | undefined
  readonly variables: Variables
}

// The number of types in one document, including those that references lead to.
const typesAtHand = 4

/** A document for the known types. Most are valid, some are spoiled, and some contain mutations. */
export function graphDocument(making: Making, item: KnownItem | undefined): GraphDocument {
  const { random, pool, operation } = making
  const types = Array.from({ length: typesAtHand }, () => pool.types.pick(random)).filter(
    (type) => type !== undefined,
  )
  const asking: DocumentOptions = { making, item, random, types, variables: new Map() }
  const isChange = random.chance(operation.method === 'POST' ? 0.35 : 0.03)
  const roots = Array.from({ length: 1 + random.below(3) }, (_, index) => {
    const root = isChange ? changeOf(asking) : readOf(asking)
    return `${index > 0 || random.chance(0.2) ? `r${index}: ` : ''}${root}${random.chance(0.1) ? ' __typename' : ''}`
  })
  const body = random.chance(0.2) ? inFragment(roots, isChange) : { text: roots.join(' '), more: '' }
  const declared = [...asking.variables].map(([name, { type, preset }]) => `$${name}: ${type} = ${preset}`)
  const head = `${isChange ? 'mutation' : 'query'} Asked${declared.length > 0 ? `(${declared.join(', ')})` : ''}`
  const query = `${head} { ${body.text} }${body.more}`
  const values = [...asking.variables].map(([name, { value }]) => [name, value] as const)
  return {
    query: random.chance(0.12) ? spoiled(query, random) : query,
    variables: Object.fromEntries(values),
    operationName: random.chance(0.95) ? 'Asked' : random.pick(['Other', '']),
  }
}

function inFragment(roots: readonly string[], isChange: boolean): { text: string; more: string } {
  const on = isChange ? 'Mutation' : 'Query'
  return { text: '...Roots', more: ` fragment Roots on ${on} { ${roots.join(' ')} }` }
}

function readOf(asking: DocumentOptions): string {
  const { random, types, making } = asking
  const type = random.pick(types)
  if (!type || random.chance(0.15)) return `item${args(asking, which(asking))} ${itemSelection(asking)}`
  if (random.chance(0.15)) return searchOf(asking)
  if (random.chance(0.05)) return `__type(name: "${objectName(type)}") { name fields { name } }`
  if (random.chance(0.3))
    return `${fieldName(type)}${args(asking, which(asking))} ${objectSelection(asking, type)}`
  const cursor = random.chance(0.15) ? cursorText(random, making.pool) : undefined
  const given = args(asking, {
    filter: random.chance(0.5) ? filterOf(type, random) : undefined,
    sort: random.chance(0.3) ? new Bare(sortOf(type, random)) : undefined,
    limit: limitOf(asking),
    cursor,
    archived: random.chance(0.1) ? random.chance(0.5) : undefined,
    package: packageOf(random),
  })
  return `${fieldName(type)}s${given} ${pageSelection(random, objectSelection(asking, type))}`
}

function searchOf(asking: DocumentOptions): string {
  const { random, types } = asking
  const given = args(asking, {
    text: random.chance(0.8) ? wordOf(random) : hostileText(random).slice(0, 500),
    type: random.chance(0.3) ? random.pick(types)?.name : undefined,
    limit: limitOf(asking),
    package: packageOf(random),
  })
  return `search${given} ${pageSelection(random, itemSelection(asking))}`
}

function pageSelection(random: Random, items: string): string {
  const beside = ['count', 'nextCursor', '__typename'].filter(() => random.chance(0.4))
  return `{ items ${items} ${beside.join(' ')} }`
}

function which({ random, item }: DocumentOptions): Arguments {
  const isById = random.chance(0.6)
  return {
    id: isById ? new Id(item?.id ?? 'CONT_1') : undefined,
    slug: isById ? undefined : (item?.slug ?? 'none-yet'),
    version: random.chance(0.2) ? random.pick(['latest', 'latestpublished', '1', 'x']) : undefined,
    package: packageOf(random),
  }
}

function packageOf(random: Random): string | undefined {
  return random.chance(0.15) ? random.pick([preparedPackage, preparedPackage, 'nothing-yet']) : undefined
}

function limitOf({ random }: DocumentOptions): number | undefined {
  return random.chance(0.6) ? random.pick([1, 2, 5, 10, 0, -1, 1001]) : 5
}

const state = ['publish', 'unpublish', 'archive', 'unarchive'] as const

function changeOf(asking: DocumentOptions): string {
  const { random, types, item } = asking
  const type = random.pick(types)
  if (!type) return '__typename'
  const name = objectName(type)
  const selection = objectSelection(asking, type)
  const onItem = { id: new Id(item?.id ?? 'CONT_1'), package: packageOf(random) }
  const kind = random.below(10)
  if (kind === 0) return `delete${name}${args(asking, onItem)}`
  if (kind < 3) return `${random.pick(state)}${name}${args(asking, onItem)} ${selection}`
  if (kind < 7)
    return `create${name}${args(asking, { input: inputOf(asking, type), package: packageOf(random) })} ${selection}`
  return `update${name}${args(asking, { ...onItem, input: changesOf(asking, type) })} ${selection}`
}

function inputOf(asking: DocumentOptions, type: KnownType): Typed {
  return new Typed(`${objectName(type)}_Input!`, {
    name: wordOf(asking.random),
    ...someMembers(asking, type),
  })
}

function changesOf(asking: DocumentOptions, type: KnownType): Typed {
  const { random, item } = asking
  return new Typed(`${objectName(type)}_Changes!`, {
    ...(random.chance(0.5) && { name: wordOf(random) }),
    ...(random.chance(0.3) && { baseVersion: 1 + random.below(item?.version ?? 1) }),
    ...someMembers(asking, type),
  })
}

function someMembers({ random, making: { pool } }: DocumentOptions, { fields }: KnownType): object {
  return {
    ...(random.chance(0.2) && { slug: `slug-${random.below(200)}` }),
    ...(random.chance(0.1) && { folderId: pool.folders.pick(random)?.id ?? null }),
    ...(random.chance(0.1) && { categories: [pool.categories.pick(random)?.id] }),
    ...(fields.length > 0 && { fields: sentFields(fields, fieldValues(fields, random, pool)) }),
  }
}

/** Field values in GraphQL form: a block is keyed by the name of its variant. */
function sentFields(fields: readonly Field[], values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fields.find((one) => one.name === name)
      return [name, field ? sentValue(field, value) : value]
    }),
  )
}

function sentValue(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => sentValue(field, one))
  if (field.kind !== 'group' && field.kind !== 'union') return value
  const values = Object(value) as Record<string, unknown>
  if (field.kind === 'group') return sentFields(field.settings.fields, values)
  const { type, ...own } = values
  const fields = field.settings.variants.find(({ name }) => name === type)?.fields ?? []
  return { [String(type)]: sentFields(fields, own) }
}

/** Adds something invalid or expensive to the document. */
function spoiled(query: string, random: Random): string {
  const at = random.below(query.length)
  const [before, after] = [query.slice(0, at), query.slice(at)]
  return random.pick([
    `${before}${random.pick(['{', '}', '"', '$', '...', '@skip(if: true)', '!', '#', '"""'])}${after}`,
    `${before}${hostileText(random).slice(0, 200)}${after}`,
    before,
    query.replace(/\{ /, '{ nothing '),
    query.replaceAll('id', 'id id: name'),
    `${query} fragment A on Query { ...B } fragment B on Query { ...A }`,
    query.replace(/\{ /, '{ ...Circle ').concat(' fragment Circle on Query { ...Circle }'),
    query.replace(/\{ /, `{ ${'__typename @include(if: true) '.repeat(30 + random.below(40))} `),
    query.replace(/\{ /, `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: __typename`).join(' ')} `),
    `${query} ${query}`,
    `subscription ${query.slice(query.indexOf('{'))}`,
    '{ __schema { types { name fields { name type { name ofType { name } } } } } }',
  ])
}

function fieldName({ apiName }: KnownType): string {
  return apiName.charAt(0).toLowerCase() + apiName.slice(1)
}
