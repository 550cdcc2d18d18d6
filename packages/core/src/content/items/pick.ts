import { Item, type Contract, type OutputOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'
import { referenceFields } from '../types/derived.ts'
import { mayRead } from './find.ts'
import { sentItems } from './serialize.ts'

type ReadItem = OutputOf<Contract['items']['get']>

/** What a read asks for beside the item itself. */
export interface Picking {
  readonly select?: string[] | undefined
  readonly include?: string[] | undefined
}

/** Whether items are answered otherwise than as they are stored. */
export function isPicked({ select, include }: Picking): boolean {
  return select !== undefined || include !== undefined
}

/** How items are shown: to those who work on them, or to the public. */
export interface View {
  readonly members: ReadonlySet<string>
  /** Whether a head is shown at all, beside who may read it. */
  readonly isVisible: (head: Entity) => boolean
  readonly serialize: (item: Item) => ReadItem
}

/** Items as those who work on them see them. */
export const wholeView: View = {
  members: new Set(Object.keys(Item.shape)),
  isVisible: () => true,
  serialize: (item) => item,
}

/** Items with only the members of `select`, and with what `include` refers to, where their type has such a field. Errors: `invalid` naming unknown members. */
export async function pick(
  call: Call,
  {
    scope,
    items,
    input,
    view = wholeView,
  }: { scope: Scope; items: readonly Item[]; input: Picking; view?: View },
): Promise<ReadItem[]> {
  requireMembers(view, input.select ?? [])
  const included = input.include ? await includer(call, { scope, items, names: input.include, view }) : null
  return items.map((item) => ({
    ...(input.select ? selected(view, item, input.select) : view.serialize(item)),
    ...(included && { included: included(item) }),
  }))
}

function requireMembers({ members }: View, select: readonly string[]): void {
  const unknown = select.filter((name) => !members.has(name) && !/^fields\.[a-zA-Z0-9.]+$/.test(name))
  if (unknown.length > 0) {
    throw invalid(unknown.map((name) => ({ path: 'select', message: `"${name}" is no member of an item` })))
  }
}

function selected({ members, serialize }: View, item: Item, select: readonly string[]): ReadItem {
  const whole = select.filter((name) => members.has(name))
  const paths = select
    .filter((name) => name.startsWith('fields.'))
    .map((name) => name.slice('fields.'.length).split('.'))
  const entries = Object.entries(serialize(item)).filter(([name]) => whole.includes(name))
  const picked = { id: item.id, ...Object.fromEntries(entries) }
  if (paths.length === 0 || whole.includes('fields')) return picked
  const fields: Item['fields'] = {}
  for (const path of paths) copyPath(item.fields, fields, path)
  return { ...picked, fields }
}

function copyPath(from: Item['fields'], to: Item['fields'], [name = '', ...rest]: readonly string[]): void {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (value === undefined) return
  if (rest.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    to[name] = value
    return
  }
  const existing = to[name]
  const inner = typeof existing === 'object' && existing !== null && !Array.isArray(existing) ? existing : {}
  to[name] = inner
  copyPath(value, inner, rest)
}

/** A function that gives, for an item, the items its named fields refer to, in their order, without those the caller may not read. */
async function includer(
  call: Call,
  {
    scope,
    items,
    names,
    view,
  }: { scope: Scope; items: readonly Item[]; names: readonly string[]; view: View },
): Promise<(item: Item) => NonNullable<ReadItem['included']>> {
  const referring = await referringNames(call, names)
  const namesOf = ({ type }: Item) => referring.get(type) ?? []
  const ids = new Set(items.flatMap((item) => namesOf(item).flatMap((name) => idsOf(item.fields, name))))
  const found = await itemsById(call, { scope, view, ids: [...ids] })
  return (item) =>
    Object.fromEntries(
      namesOf(item).map(
        (name) => [name, idsOf(item.fields, name).flatMap((id) => found.get(id) ?? [])] as const,
      ),
    )
}

/**
 * Which of the names are reference fields, by type. It depends on the request alone, not on which items are on a page.
 * Errors: `invalid` naming what no type has as one.
 */
async function referringNames(
  call: Call,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const types = await call.store.records.list('type')
  const byType = types.map(({ name: type, fields }) => {
    const references = referenceFields(fields)
    return [type, names.filter((name) => references.has(name))] as const
  })
  const known = new Set(byType.flatMap(([, held]) => held))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length === 0) return new Map(byType)
  throw invalid(
    unknown.map((name) => ({
      path: 'include',
      message: `"${name}" is no reference field of any content type`,
    })),
  )
}

function idsOf(fields: JsonObject | Item['fields'], name: string): string[] {
  const value = fields[name]
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((id): id is string => typeof id === 'string')
}

// The store reads at most 1 000 ids at once.
const batch = 1000

/** Those of some items that the caller may read, by id. */
export async function itemsById(
  call: Call,
  { scope: { branch }, view, ids }: { scope: Scope; view: View; ids: readonly string[] },
): Promise<Map<string, Item>> {
  const heads: Entity[] = []
  for (let start = 0; start < ids.length; start += batch) {
    heads.push(...(await call.store.entities.getMany(branch, 'item', ids.slice(start, start + batch))))
  }
  const visible = heads.filter(
    (head) => head.deletedDate === null && view.isVisible(head) && mayRead(call, head),
  )
  // What is included is whole, as the view has it.
  const items = await sentItems(call, branch, visible)
  return new Map(items.map((item) => [item.id, view.serialize(item) as Item]))
}
