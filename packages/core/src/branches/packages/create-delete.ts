import { endpoints, type Contract, type Package, type ParsedOf, type OutputOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { findRepository } from '../../engine/scope.ts'
import { newPackage, serializePackage, storeNew, packageEvent, storeChanged, withPackage } from './record.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { ownPages } from './sides.ts'
import { requireUnlimited } from './rights.ts'
import type { Branch, OwnHead, Stored, Transaction } from '../../ports/index.ts'

/** Creates an open package that holds nothing: it shows main. Errors: `not_found`, `forbidden`, `name_taken`, `invalid`. */
export async function createPackage(
  call: Call,
  { repo, name, description }: ParsedOf<Contract['packages']['create']>,
): Promise<Serialized<Package>> {
  requireFreeName(name)
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, repo)
    requirePermission(call, 'packages.create', { repositoryId })
    return serializePackage(await storeNew(call, newPackage(call, { repositoryId, name, description })))
  })
}

const prefix = '/api/content/management/packages/{repo}/'

/** The words that stand where a package's name does: no package may have such a name, or one address would mean two things. */
const reservedNames: ReadonlySet<string> = new Set([
  ...endpoints
    .filter(({ endpoint }) => endpoint.path.startsWith(prefix))
    .map(({ endpoint }) => endpoint.path.slice(prefix.length).split('/')[0] ?? '')
    .filter((word) => !word.startsWith('{')),
  // Comes with the import of packages (DESIGN "Storage and scale").
  'import',
])

/** Errors: `invalid` for a reserved name. */
export function requireFreeName(name: string, path = 'name'): void {
  if (!reservedNames.has(name)) return
  throw invalid([{ path, message: `"${name}" stands in addresses of the API: choose another` }])
}

type Delete = Contract['packages']['delete']

/**
 * Deletes a package with all it holds. Its record stays as a tombstone, its name is free again; of a merged one the merge stays,
 * and can no longer be reverted. Errors: `not_found`, `precondition_failed`; `forbidden` also when it holds what the caller may not read or change.
 */
export function deletePackage(call: Call, { dryRun, ...ref }: ParsedOf<Delete>): Promise<OutputOf<Delete>> {
  return withPackage(call, ref, {
    key: 'packages.delete',
    async work(call, { package: found, branch }) {
      // What was merged is on main: there is nothing to lose.
      const check = found.state === 'merged' ? undefined : (head: OwnHead) => requireUnlimited(call, head)
      const changes = await discardPackage(call, { found, branch, check })
      return dryRun === true ? { deleted: plainRecord(found), changes } : undefined
    },
  })
}

/** What is discarded. */
interface Discarded {
  readonly found: Stored<'package'>
  readonly branch: Branch
  readonly check?: ((head: OwnHead) => void) | undefined
}

/** Drops a package with all it holds, but for its record and the history of its review. Answers how much it held. Errors: those of `check`. */
export async function discardPackage(call: WriteCall, { found, branch, check }: Discarded): Promise<number> {
  const changes = await purgeBranch(call.store, branch, check)
  const merge = await call.store.records.get('merge', found.id)
  if (merge) await call.store.records.delete('merge', merge.id, merge.revision)
  await endReview(call, found.id)
  await storeChanged(call, { ...found, state: 'deleted' })
  await call.record(packageEvent(call, 'PACKAGE_DELETED', { about: found, details: { changes } }))
  return changes
}

/** What is not there any more is not reviewed. */
async function endReview({ now, store: { records } }: WriteCall, packageId: string): Promise<void> {
  const review = await records.get('workflow', packageId)
  if (!review) return
  const { revision, info, ...rest } = review
  const isOpen = info?.completedAt === undefined
  const ended =
    info && isOpen ? { ...info, status: 'cancelled' as const, completedAt: Math.floor(now / 1000) } : info
  await records.put('workflow', { ...rest, info: ended, pending: null, held: [] }, revision)
}

/** Removes everything that a branch holds, and answers how much that was. Errors: those of `check`. */
async function purgeBranch(
  store: Transaction,
  branch: Branch,
  check?: (head: OwnHead) => void,
): Promise<number> {
  const yieldToLoop = yieldingToLoop()
  let count = 0
  // Pages are read on from the last id: what was removed before it does not matter.
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
