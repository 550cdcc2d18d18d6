import { Item, QuireError, type Contract, type OutputOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import type { Scope } from '../../engine/scope.ts'
import { isJsonObject, type Entity, type JsonObject } from '../../ports/index.ts'
import { liveHeads } from '../kinds/heads.ts'
import { referenceFields } from '../types/derived.ts'
import { itemAt } from './at.ts'
import { mayRead } from './find.ts'
import { sentItems } from './serialize.ts'

type ReadItem = OutputOf<Contract['items']['get']>

/** The options of a read that change which members the answer contains. */
export interface PickOptions {
  readonly select?: string[] | undefined
  readonly include?: string[] | undefined
  /** Included items are read as they were or will be at this time (Unix ms). Default: now. */
  readonly at?: number | undefined
}

/** Whether the answer has other members than the stored item. */
export function isPicked({ select, include }: PickOptions): boolean {
  return select !== undefined || include !== undefined
}

/** How items are serialized: for editors or for the public. */
export interface View {
  readonly members: ReadonlySet<string>
  /** Whether a head is visible at all. Permissions are checked separately. */
  readonly isVisible: (head: Entity) => boolean
  readonly serialize: (item: Item) => ReadItem
}

/** The view of editors: all items, with all members. */
export const wholeView: View = {
  members: new Set(Object.keys(Item.shape)),
  isVisible: () => true,
  serialize: (item) => item,
}

/**
 * Reduces items to the members in `select`, and adds the items that the fields in `include` refer
 * to.
 * Errors: `invalid` naming unknown members and fields.
 */
export async function pick(
  call: Call,
  {
    scope,
    items,
    input,
    view = wholeView,
  }: { scope: Scope; items: readonly Item[]; input: PickOptions; view?: View },
): Promise<ReadItem[]> {
  requireMembers(view, input.select ?? [])
  const included = input.include
    ? await includer(call, { scope, items, names: input.include, view, at: input.at })
    : null
  return items.map((item) => ({
    ...(input.select ? selected(view, item, input.select) : view.serialize(item)),
    ...(included && { included: included(item) }),
  }))
}

function requireMembers({ members }: View, select: readonly string[]): void {
  const unknown = select.filter((name) => !members.has(name) && !/^fields\.[a-zA-Z0-9.]+$/.test(name))
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((name) => ({ path: 'select', message: `"${name}" is not a member of an item` })),
    )
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

/**
 * Returns a function that gives the items to which the named fields of an item refer, in order and
 * without those that the caller may not read.
 */
async function includer(
  call: Call,
  {
    scope,
    items,
    names,
    view,
    at,
  }: { scope: Scope; items: readonly Item[]; names: readonly string[]; view: View; at: number | undefined },
): Promise<(item: Item) => NonNullable<ReadItem['included']>> {
  const referring = await referringNames(call, names)
  const namesOf = ({ type }: Item) => referring.get(type) ?? []
  const ids = new Set(items.flatMap((item) => namesOf(item).flatMap((name) => idsOf(item.fields, name))))
  for (const id of ids) call.cacheTags?.item(id)
  const found =
    at === undefined || at === call.now
      ? await itemsById(call, { scope, view, ids: [...ids] })
      : await itemsAt(call, scope, { ids, at })
  return (item) =>
    Object.fromEntries(
      namesOf(item).map(
        (name) => [name, idsOf(item.fields, name).flatMap((id) => found.get(id) ?? [])] as const,
      ),
    )
}

/**
 * Which of the names are reference fields, by type. Depends only on the request, not on which items
 * are on the page. Errors: `invalid` for names that are not a reference field of any type.
 */
async function referringNames(
  call: Call,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  call.cacheTags?.also('types')
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
      message: `"${name}" is not a reference field of any content type`,
    })),
  )
}

/** The ids in a reference field: one, several, or those of all locales, each once. */
function idsOf(fields: JsonObject | Item['fields'], name: string): string[] {
  return isJsonObject(fields[name])
    ? [...new Set(Object.values(fields[name]).flatMap(idsIn))]
    : idsIn(fields[name])
}

function idsIn(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((id): id is string => typeof id === 'string')
}

/**
 * Reads items by id as they were or will be at a time. Leaves out those whose version is not kept any
 * more, as lists do. Errors: `merge_conflict`.
 */
async function itemsAt(
  call: Call,
  scope: Scope,
  { ids, at }: { ids: ReadonlySet<string>; at: number },
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  for (const id of ids) {
    const item = await itemAt(call, scope, { id, at }).catch(whenForgotten)
    if (item) found.set(id, item)
  }
  return found
}

function whenForgotten(error: unknown): null {
  if (error instanceof QuireError && error.code === 'version_forgotten') return null
  throw error
}

/**
 * Reads items by id. Leaves out those that are deleted, not in the view or that the caller may not
 * read.
 */
export async function itemsById(
  call: Call,
  { scope: { branch }, view, ids }: { scope: Scope; view: View; ids: readonly string[] },
): Promise<Map<string, Item>> {
  const heads = await liveHeads(call.store.entities, branch, { kind: 'item', ids })
  const visible = [...heads.values()].filter((head) => view.isVisible(head) && mayRead(call, head))
  // Included items have all members of the view.
  const items = await sentItems(call, branch, visible)
  return new Map(items.map((item) => [item.id, view.serialize(item) as Item]))
}
