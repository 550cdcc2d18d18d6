import { QuireError } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Stored } from '../../ports/index.ts'
import { mayRead, noSuchItem, type ItemTarget } from './find.ts'
import { stateOf, type ItemState } from './item-json.ts'
import { scheduledTime } from './publish.ts'

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
  const due = [...(await duePackages(call, scope, item)), ...(await dueStates(call, scope, item))]
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

/** The packages that change the item, if the caller may see packages. */
async function duePackages(call: Call, scope: Scope, item: Entity): Promise<Due[]> {
  const { repositoryId } = item
  if (scope.package !== null || !mayDo(call.identity.permissions, 'packages.view', { repositoryId }))
    return []
  const due: Due[] = []
  for (const found of await call.store.records.list('package')) {
    if (found.repositoryId !== repositoryId || found.state !== 'scheduled' || found.mergeAt === undefined)
      continue
    const branch = { repositoryId, packageId: found.id }
    const head = await call.store.entities.get(branch, 'item', item.id)
    if (head?.packageId !== found.id) continue
    due.push({ at: found.mergeAt, applyTo: (before) => merged(call, before, { found, head, scope }) })
  }
  return due
}

interface DuePackage {
  readonly found: Stored<'package'>
  readonly head: Entity
  /** Main. */
  readonly scope: Scope
}

/** Errors: `merge_conflict`, `not_found`. */
function merged(call: Call, before: ItemToCome, { found, head, scope }: DuePackage): ItemToCome {
  const { base } = head
  if (
    before.scope.package !== null ||
    base?.version !== before.head.version ||
    base.archived !== before.head.archived
  )
    throw new QuireError(
      'merge_conflict',
      `The package "${found.name}" merges by then, and somebody else has changed this item, too: look at its conflicts.`,
    )
  if (head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  const branch = { ...scope.branch, packageId: found.id }
  return { scope: { ...scope, branch, package: found }, head, state: stateOf(head) }
}
