import type { Contract, Package, ParsedOf, OutputOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { findRepository } from '../../engine/scope.ts'
import { deleteComments } from './comments/record.ts'
import { deleteShareLinks } from './share-links/record.ts'
import { requireUnreservedName } from './names.ts'
import {
  newPackage,
  packageJson,
  serializePackage,
  storeNew,
  packageEvent,
  storeChanged,
  withPackage,
} from './record.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { ownPages } from './sides.ts'
import { requireDiscardable, requireOwnWork } from './rights.ts'
import type { Branch, OwnHead, Stored, Transaction } from '../../ports/index.ts'

/**
 * Creates an open, empty package. It shows main. Errors: `not_found`, `forbidden`, `name_taken`,
 * `invalid`.
 */
export async function createPackage(
  call: Call,
  { repo, name, description }: ParsedOf<Contract['packages']['create']>,
): Promise<Serialized<Package>> {
  requireUnreservedName(name)
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, repo)
    requirePermission(call, 'packages.create', { repositoryId })
    return serializePackage(await storeNew(call, newPackage(call, { repositoryId, name, description })))
  })
}

type Delete = Contract['packages']['delete']

/**
 * Deletes a package and all its changes. Its record remains as a tombstone, and its name can be
 * used again. What a merged package brought to main stays there, but the merge can no longer be
 * reverted.
 * Errors: `not_found`, `precondition_failed`; `forbidden`, also when the package contains changes
 * that the caller may not read or make, and for agents unless it is their own.
 */
export function deletePackage(call: Call, { dryRun, ...ref }: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return withPackage(call, ref, {
    key: 'packages.delete',
    async work(call, { package: found, branch }) {
      requireOwnWork(call, found)
      // The changes of a merged package are on main, so none are lost.
      const check = found.state === 'merged' ? undefined : (head: OwnHead) => requireDiscardable(call, head)
      const changes = await discardPackage(call, { found, branch, check })
      return dryRun === true ? { deleted: packageJson(found), changes } : undefined
    },
  })
}

/** The package to discard. */
interface DiscardInput {
  readonly found: Stored<'package'>
  readonly branch: Branch
  /** Called with each head of the package before it is purged. */
  readonly check?: ((head: OwnHead) => void) | undefined
}

/**
 * Deletes a package and all its changes, except its record and the history of its review. Returns
 * the number of changes. Errors: those of `check`.
 */
export async function discardPackage(
  call: WriteCall,
  { found, branch, check }: DiscardInput,
): Promise<number> {
  const changes = await purgeBranch(call.store, branch, check)
  const merge = await call.store.records.get('merge', found.id)
  if (merge) await call.store.records.delete('merge', merge.id, merge.revision)
  await deleteComments(call.store, found.id)
  await deleteShareLinks(call.store, found.id)
  await endReview(call, found.id)
  await storeChanged(call, { ...found, state: 'deleted' })
  await call.record(packageEvent(call, 'PACKAGE_DELETED', { about: found, details: { changes } }))
  return changes
}

/** Cancels an open review and drops its pending actions. */
async function endReview({ now, store: { records } }: WriteCall, packageId: string): Promise<void> {
  const review = await records.get('workflow', packageId)
  if (!review) return
  const { revision, info, ...rest } = review
  const isOpen = info?.completedAt === undefined
  const ended =
    info && isOpen ? { ...info, status: 'cancelled' as const, completedAt: Math.floor(now / 1000) } : info
  await records.put('workflow', { ...rest, info: ended, pending: null, held: [] }, revision)
}

/** Purges all heads of a branch and returns their number. Errors: those of `check`. */
async function purgeBranch(
  store: Transaction,
  branch: Branch,
  check?: (head: OwnHead) => void,
): Promise<number> {
  const yieldToLoop = yieldingToLoop()
  let count = 0
  // Each page is read from the last id on, so removals before it do not matter.
  for await (const page of ownPages(store.entities, branch)) {
    for (const head of page) {
      check?.(head)
      await store.entities.purge(branch, head)
      count += 1
      await yieldToLoop()
    }
  }
  return count
}
