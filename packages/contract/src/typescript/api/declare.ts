import { z } from 'zod'
import { endlessListOf, listOf, longListOf } from '../../conventions.ts'
import { docText } from './doc-text.ts'
import type { NamedShape, NameOf } from './named.ts'
import { defOf, descriptionOf, type Direction, type Schema } from './schemas.ts'
import { bodyText, objectText, typeText, type Writing } from './shape-text.ts'
import { capital } from '../names.ts'

/** The types of lists, which the contract makes with functions. */
const lists = [
  { name: 'ListOf', about: 'A page of a list', schema: listOf(z.unknown()) },
  { name: 'LongListOf', about: 'A page of a list that takes `skipCount`', schema: longListOf(z.unknown()) },
  {
    name: 'EndlessListOf',
    about: 'A page of a list that takes `skipCount` and counts a limited number of entries',
    schema: endlessListOf(z.unknown()),
  },
] as const

/** The type of a list, such as `ListOf<Folder>`; undefined if the shape is no list. */
function listText(schema: Schema, writing: Writing): string | undefined {
  const def = defOf(schema)
  if (def.type !== 'object') return undefined
  const { items } = def.shape
  const members = Object.keys(def.shape).toSorted().join(' ')
  const list = lists.find(
    ({ schema: { shape } }) =>
      shape.count === def.shape['count'] && Object.keys(shape).toSorted().join(' ') === members,
  )
  const itemsDef = items && defOf(items)
  if (!list || itemsDef?.type !== 'array') return undefined
  return `${list.name}<${typeText(itemsDef.element, writing)}>`
}

/** The interfaces of lists. */
export function listsText(): string {
  const writing: Writing = {
    direction: 'output',
    nameOf: () => undefined,
    refer: () => '',
    listText: () => undefined,
  }
  return lists
    .map(({ name, about, schema }) => {
      const members = objectText(schema, writing).replace('items: unknown[]', 'items: T[]')
      return `${docText([about], '')}export interface ${name}<T> ${members}\n`
    })
    .join('\n')
}

/** The declarations of named shapes, and how types refer to them. */
export interface Declarations {
  /** The declarations that became known since the last call, each as TypeScript. */
  readonly pending: () => readonly Declaration[]
  readonly writing: (direction: Direction) => Writing
}

export interface Declaration {
  readonly name: string
  readonly text: string
}

/**
 * Declares shapes as they are used. A shape that is sent differently from how it is returned is
 * declared a second time as `<Name>Input`.
 * @param use Uses every shape, so that it is known beforehand which ones differ.
 */
export function createDeclarations(nameOf: NameOf, use: (declarations: Declarations) => void): Declarations {
  const known = openDeclarations(nameOf, (name) => name)
  use(known)
  const differing = namesThatDiffer(known.bodies)
  return openDeclarations(nameOf, (name, direction) =>
    direction === 'input' && differing.has(name) ? `${name}Input` : name,
  )
}

interface Body {
  readonly text: string
  /** The names of the shapes that it refers to. */
  readonly refers: ReadonlySet<string>
}

type Bodies = Readonly<Record<Direction, ReadonlyMap<string, Body>>>

interface OpenDeclarations extends Declarations {
  readonly bodies: Bodies
}

function openDeclarations(
  nameOf: NameOf,
  spelled: (name: string, direction: Direction) => string,
): OpenDeclarations {
  const bodies = { input: new Map<string, Body>(), output: new Map<string, Body>() }
  const variants = new Map<unknown, NamedShape>()
  const owners = new Map<string, Schema>()
  const all = new Set<string>()
  let pending = new Map<string, string>()

  const writing = (direction: Direction, refers?: Set<string>): Writing => ({
    direction,
    nameOf: (schema) => nameOf(schema) ?? variants.get(defOf(schema)),
    refer: (shape) => {
      refers?.add(shape.name)
      define(shape, direction)
      return spelled(shape.name, direction)
    },
    listText,
  })

  const define = (shape: NamedShape, direction: Direction) => {
    const { name, schema } = shape
    const owner = owners.get(name) ?? schema
    if (defOf(owner) !== defOf(schema)) throw new Error(`Two shapes are named ${name}`)
    if (bodies[direction].has(name)) return
    owners.set(name, schema)
    for (const variant of variantsOf(shape)) variants.set(defOf(variant.schema), variant)
    const refers = new Set<string>()
    bodies[direction].set(name, { text: '', refers })
    const declared = spelled(name, direction)
    const isNew = !all.has(declared)
    // Takes its place before the shapes that it refers to.
    if (isNew) pending.set(declared, '')
    all.add(declared)
    const text = declarationText(declared, schema, writing(direction, refers))
    bodies[direction].set(name, { text, refers })
    if (isNew) pending.set(declared, text)
  }

  return {
    bodies,
    writing,
    pending: () => {
      const declared = [...pending].map(([name, text]) => ({ name, text }))
      pending = new Map()
      return declared
    },
  }
}

/** The alternatives of a union that a member tells apart, named after its value: `TextField`. */
function variantsOf({ name, schema }: NamedShape): NamedShape[] {
  const def = defOf(schema)
  if (def.type !== 'union' || !('discriminator' in def)) return []
  const by = String(def.discriminator)
  return def.options.map((option) => {
    const inner = defOf(option)
    const value = inner.type === 'object' && inner.shape[by] ? literalOf(inner.shape[by]) : ''
    return { name: `${capital(value)}${name}`, schema: option }
  })
}

function literalOf(schema: Schema): string {
  const def = defOf(schema)
  return def.type === 'literal' ? String(def.values[0]) : ''
}

/** Declares an object; as an interface, unless members with other names have another type. */
export function objectDeclaration(name: string, text: string): string {
  return text.includes('\n} & {') ? `export type ${name} = ${text}\n` : `export interface ${name} ${text}\n`
}

function declarationText(name: string, schema: Schema, writing: Writing): string {
  const doc = docText([descriptionOf(schema)], '')
  const def = defOf(schema)
  if (def.type === 'object') return `${doc}${objectDeclaration(name, objectText(schema, writing))}`
  const body = bodyText(schema, writing)
  const values = /^Record<string, (.*)>$/s.exec(body)?.[1]
  if (values === undefined) return `${doc}export type ${name} = ${broken(body)}\n`
  const isReadOnly = values.includes(name) ? 'readonly ' : ''
  return `${doc}export interface ${name} {\n  ${isReadOnly}[name: string]: ${values}\n}\n`
}

/** A long union with each type on its own line. */
function broken(union: string): string {
  return union.length < 90 || union.includes('{') ? union : `\n  | ${union.split(' | ').join('\n  | ')}`
}

function namesThatDiffer({ input, output }: Bodies): ReadonlySet<string> {
  const both = [...input.keys()].filter((name) => output.has(name))
  const differing = new Set(both.filter((name) => input.get(name)?.text !== output.get(name)?.text))
  const refersToOne = (name: string) =>
    [...(input.get(name)?.refers ?? [])].some((other) => differing.has(other))
  for (let size = -1; size !== differing.size;) {
    size = differing.size
    for (const name of both) if (refersToOne(name)) differing.add(name)
  }
  return differing
}
