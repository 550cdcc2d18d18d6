import {
  limits,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type TakeBackOutcome,
} from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { findRepository } from '../../engine/scope.ts'
import type { Stored } from '../../ports/index.ts'

type TakeBack = Contract['packages']['takeBack']

/**
 * Deletes the packages of an agent that are not merged, then undoes the merged ones, newest merge
 * first, each in a transaction of its own. Errors: `not_found`, `forbidden`.
 */
export async function takeBack(
  call: Call,
  { repo, agent, since = 0 }: ParsedOf<TakeBack>,
): Promise<OutputOf<TakeBack>> {
  const { id: repositoryId } = await findRepository(call, repo)
  for (const key of ['packages.merge', 'packages.delete'] as const)
    requirePermission(call, key, { repositoryId })
  const stored = await call.store.records.list('package')
  const present = stored.filter((found) => found.repositoryId === repositoryId && found.state !== 'deleted')
  const reverts = revertsIn(present)
  const due = present
    .filter((found) => found.agent?.id === agent && found.createdDate >= since)
    .filter(({ id }) => reverts.get(id)?.state !== 'merged')
    .toSorted(deletionsFirst)
  // If-Match names one revision, so it cannot apply to many packages.
  const each: Call = { ...call, ifMatch: undefined }
  const items: TakeBackOutcome[] = []
  for (const found of due.slice(0, limits.bulkIds))
    items.push(await tryOn(each, found, reverts.get(found.id)))
  return { count: due.length, items }
}

/** The reverts of packages by the id of what they revert: merged ones, otherwise those still to merge. */
function revertsIn(present: readonly Stored<'package'>[]): ReadonlyMap<string, Stored<'package'>> {
  const reverts = new Map<string, Stored<'package'>>()
  for (const found of present)
    if (found.revertOf !== null && reverts.get(found.revertOf)?.state !== 'merged')
      reverts.set(found.revertOf, found)
  return reverts
}

/** Packages that are not merged, then the newest merge: later ones build on earlier ones. */
function deletionsFirst(one: Stored<'package'>, other: Stored<'package'>): number {
  const dateOf = ({ mergedDate }: Stored<'package'>) => mergedDate ?? Infinity
  if (dateOf(one) !== dateOf(other)) return dateOf(one) > dateOf(other) ? -1 : 1
  return one.id > other.id ? -1 : 1
}

/** Takes one package back. `revert` is one that waits for a person already. */
async function tryOn(
  call: Call,
  found: Stored<'package'>,
  revert: Stored<'package'> | undefined,
): Promise<TakeBackOutcome> {
  const { name: packageName, repositoryId: repo, state } = found
  if (revert) return { packageName, action: 'revertOpen', revert: revert.name }
  try {
    if (state === 'merged') return await undoMerge(call, { repo, packageName })
    await call.invoke('packages.delete', { repo, packageName })
    return { packageName, action: 'deleted' }
  } catch (error) {
    const { code, message } = requireRefusal(error, call.requestId)
    return { packageName, action: 'failed', error: { code, message } }
  }
}

/**
 * Creates the package that reverts a merge, and returns its name. Anybody who may create packages can
 * hold the usual name, so that this falls back to one that nobody can know.
 */
async function revertUnderFreeName(
  call: WriteCall,
  ref: { repo: string; packageName: string },
): Promise<string> {
  const revert = (call: Call, name?: string) =>
    call.invoke('packages.revert', { ...ref, ...(name !== undefined && { name }) })
  try {
    // A savepoint, which fails alone.
    return valueOf(await call.write((inner) => revert(inner))).name
  } catch (error) {
    if (requireRefusal(error, call.requestId).code !== 'name_taken') throw error
    return valueOf(await revert(call, `revert-${call.environment.ids.next('PACK')}`)).name
  }
}

/**
 * Reverts a merge and merges the revert, in one transaction. A revert that conflicts with main stays
 * open. Errors: those of `revertPackage` and `mergePackage`.
 */
function undoMerge(call: Call, ref: { repo: string; packageName: string }): Promise<TakeBackOutcome> {
  const { repo, packageName } = ref
  return call.write(async (call) => {
    const revert = await revertUnderFreeName(call, ref)
    try {
      // A savepoint, which fails alone.
      await call.write((inner) => inner.invoke('packages.merge', { repo, packageName: revert }))
      return { packageName, action: 'reverted', revert }
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'merge_conflict') throw error
      return { packageName, action: 'revertOpen', revert, conflicts: error.conflicts?.length ?? 0 }
    }
  })
}
