import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import {
  changedBy,
  duePackages,
  requireUnchanged,
  scopeOfDue,
  type DuePackage,
} from '../kinds/due-packages.ts'
import { mayRead, noSuchItem, type ItemTarget } from './find.ts'
import { stateOf, type ItemState } from './item-json.ts'
import { scheduledTime } from './schedule.ts'

/** An item as it will be, if nobody changes it or its schedule. */
export interface ItemToCome {
  readonly scope: Scope
  readonly head: Entity
  readonly state: ItemState
}

/** Something that is due for an item. */
interface Due {
  /** Unix ms. */
  readonly at: number
  readonly applyTo: (item: ItemToCome) => ItemToCome
}

/**
 * An item as it will be at a time (Unix ms): what is scheduled for it until then, and on main also the
 * packages that merge until then and change it, in order. Nothing is merged: if a package and main, or
 * two packages, have changed the item, that is `merge_conflict`. Errors: `not_found` if a package
 * deletes it.
 */
export async function itemToCome(call: Call, { scope, item }: ItemTarget, at: number): Promise<ItemToCome> {
  const due = [
    ...(await duePackageChanges(call, { scope, item }, at)),
    ...(await dueStates(call, scope, item)),
  ]
  return due
    .filter((one) => one.at <= at)
    .toSorted((one, other) => one.at - other.at)
    .reduce<ItemToCome>((before, { applyTo }) => applyTo(before), { scope, head: item, state: stateOf(item) })
}

async function dueStates(call: Call, { branch }: Scope, { id }: Entity): Promise<Due[]> {
  const due: Due[] = []
  const publishing = await scheduledTime(call, branch, { kind: 'item.publish', id })
  const withdrawing = await scheduledTime(call, branch, { kind: 'item.unpublish', id })
  if (publishing !== null) due.push({ at: publishing, applyTo: (before) => published(before, publishing) })
  if (withdrawing !== null)
    due.push({
      at: withdrawing,
      applyTo: (before) => ({
        ...before,
        state: { ...before.state, publishedVersion: null, publishedDate: null },
      }),
    })
  return due
}

function published({ head, state, ...before }: ItemToCome, publishedDate: number): ItemToCome {
  if (state.archived) return { ...before, head, state }
  return { ...before, head, state: { ...state, publishedVersion: head.version, publishedDate } }
}

/** The packages that change the item. */
async function duePackageChanges(
  call: Call,
  { scope, item: { id } }: ItemTarget,
  until: number,
): Promise<Due[]> {
  const due: Due[] = []
  for (const found of await duePackages(call, scope, until)) {
    const head = await changedBy(call, found, { kind: 'item', id })
    if (head)
      due.push({ at: found.mergeAt, applyTo: (before) => merged(call, before, { found, head, scope }) })
  }
  return due
}

interface Merged {
  readonly found: DuePackage
  readonly head: Entity
  /** Main. */
  readonly scope: Scope
}

/** Errors: `merge_conflict`, `not_found`. */
function merged(call: Call, before: ItemToCome, { found, head, scope }: Merged): ItemToCome {
  const { version, archived } = before.head
  requireUnchanged(found, head, { packageId: before.scope.branch.packageId, version, archived })
  if (head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  return { scope: scopeOfDue(scope, found), head, state: stateOf(head) }
}

/** An item that a package creates that merges until a time (Unix ms), in that package; null if none does. */
export async function createdToCome(
  call: Call,
  scope: Scope,
  { id, at }: { id: string; at: number },
): Promise<ItemTarget | null> {
  for (const found of await duePackages(call, scope, at)) {
    const item = await changedBy(call, found, { kind: 'item', id })
    if (item?.base === null) return { scope: scopeOfDue(scope, found), item }
  }
  return null
}
