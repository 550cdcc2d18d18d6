import { Item, type Contract, type OutputOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import type { Place } from '../lines/lines.ts'
import type { Entity, JsonObject } from '../ports/index.ts'
import { referenceFields } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { mayRead } from './find.ts'
import { sentItems } from './show.ts'

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
  readonly isShown: (head: Entity) => boolean
  readonly show: (item: Item) => ReadItem
}

/** Items as those who work on them see them. */
export const wholeView: View = {
  members: new Set(Object.keys(Item.shape)),
  isShown: () => true,
  show: (item) => item,
}

/** Items with only the members of `select`, and with what `include` refers to. Errors: `invalid` naming unknown members. */
export async function pick(
  call: Call,
  {
    place,
    items,
    input,
    view = wholeView,
  }: { place: Place; items: readonly Item[]; input: Picking; view?: View },
): Promise<ReadItem[]> {
  requireMembers(view, input.select ?? [])
  const included = input.include ? await includer(call, { place, items, names: input.include, view }) : null
  return items.map((item) => ({
    ...(input.select ? selected(view, item, input.select) : view.show(item)),
    ...(included && { included: included(item) }),
  }))
}

function requireMembers({ members }: View, select: readonly string[]): void {
  const unknown = select.filter((name) => !members.has(name) && !/^fields\.[a-zA-Z0-9.]+$/.test(name))
  if (unknown.length > 0) {
    throw invalid(unknown.map((name) => ({ path: 'select', message: `"${name}" is no member of an item` })))
  }
}

function selected({ members, show }: View, item: Item, select: readonly string[]): ReadItem {
  const whole = select.filter((name) => members.has(name))
  const paths = select
    .filter((name) => name.startsWith('fields.'))
    .map((name) => name.slice('fields.'.length).split('.'))
  const entries = Object.entries(show(item)).filter(([name]) => whole.includes(name))
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
  const present = to[name]
  const inner = typeof present === 'object' && present !== null && !Array.isArray(present) ? present : {}
  to[name] = inner
  copyPath(value, inner, rest)
}

/** A function that gives, for an item, the items its named fields refer to, in their order, without those the caller may not read. */
async function includer(
  call: Call,
  {
    place,
    items,
    names,
    view,
  }: { place: Place; items: readonly Item[]; names: readonly string[]; view: View },
): Promise<(item: Item) => NonNullable<ReadItem['included']>> {
  for (const type of new Set(items.map((item) => item.type))) await requireReferences(call, type, names)
  const ids = new Set(items.flatMap((item) => names.flatMap((name) => idsOf(item.fields, name))))
  const found = await itemsById(call, { place, view, ids: [...ids] })
  return (item) =>
    Object.fromEntries(
      names.map((name) => [name, idsOf(item.fields, name).flatMap((id) => found.get(id) ?? [])] as const),
    )
}

async function requireReferences(call: Call, type: string, names: readonly string[]): Promise<void> {
  const references = referenceFields((await typeOf(call, { type })).fields)
  const unknown = names.filter((name) => !references.has(name))
  if (unknown.length === 0) return
  throw invalid(
    unknown.map((name) => ({ path: 'include', message: `"${name}" is no reference field of "${type}"` })),
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
  { place: { line }, view, ids }: { place: Place; view: View; ids: readonly string[] },
): Promise<Map<string, Item>> {
  const heads: Entity[] = []
  for (let start = 0; start < ids.length; start += batch) {
    heads.push(...(await call.store.entities.getMany(line, 'item', ids.slice(start, start + batch))))
  }
  const shown = heads.filter((head) => head.deletedDate === null && view.isShown(head) && mayRead(call, head))
  // What is included is whole, as the view has it.
  const items = await sentItems(call, line, shown)
  return new Map(items.map((item) => [item.id, view.show(item) as Item]))
}
