import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { requireOpen } from '../../engine/scope.ts'
import { entityKinds, type Entity, type EntityReader, type Branch } from '../../ports/index.ts'
import { serializeChange } from './change.ts'
import { rulesOf } from './kinds.ts'
import { packageEvent, withPackage, type PackageScope } from './record.ts'
import { mayReadHead, namedHolders, requireWriting } from './rights.ts'
import { sidesOfAll, type ChangeSides } from './sides.ts'

type Remove = Contract['packages']['removeChange']

/**
 * Drops what a package does to one entity: it then shows it as main has it.
 * Errors: `not_found`, `forbidden`, `invalid_state`; `referenced` when the package made it and something in it refers to
 * it; `slug_taken`, `value_taken` when another of the package has what main gives it.
 */
export function removeChange(
  call: Call,
  { entityId, dryRun, ...ref }: ParsedOf<Remove>,
): Promise<OutputOf<Remove>> {
  return withPackage(call, ref, {
    key: 'packages.update',
    async work(call, scope) {
      requireOpen(scope.package)
      const head = await ownHead(call.store.entities, scope.branch, entityId)
      if (!head || !mayReadHead(call, head))
        throw new QuireError('not_found', `The package holds no change of "${entityId}" that you may read.`)
      requireWriting(call, head, head.base === null ? 'delete' : 'update')
      if (head.base === null && head.deletedDate === null) await requireUnheld(call, scope.branch, head)
      const [change] = await sidesOfAll(call.store.entities, scope, [head])
      if (change) await requireUnclaimed(call, scope, change)
      await call.store.entities.purge(scope.branch, head)
      await rulesOf(head.kind).uncover(call.store, scope.branch)
      await call.record(
        packageEvent(call, 'PACKAGE_CHANGE_REMOVED', {
          about: scope.package,
          details: { entity: entityId },
        }),
      )
      return dryRun === true && change ? serializeChange(change) : undefined
    },
  })
}

/** The head of an id of any kind that the branch itself holds. */
async function ownHead(entities: EntityReader, branch: Branch, id: string): Promise<Entity | null> {
  for (const kind of entityKinds) {
    const head = await entities.get(branch, kind, id)
    if (head && head.packageId === branch.packageId) return head
  }
  return null
}

/** What main shows again must not meet another of the package. Errors: `slug_taken`, `value_taken`. */
async function requireUnclaimed(
  call: Call,
  scope: PackageScope,
  { rules, head, mainHead }: ChangeSides,
): Promise<void> {
  if (!mainHead || mainHead.deletedDate !== null) return
  const { kind, id, slug, type } = mainHead
  const holder = slug === null ? null : await call.store.entities.getBySlug(scope.branch, kind, slug)
  if (holder && holder.id !== head.id)
    throw new QuireError('slug_taken', `Another of the package has the slug "${slug}" of main.`)
  const [inUse] = await rules.inUse(call, { scope, id, type, content: rules.content(mainHead) })
  if (!inUse) return
  const message = `Another of the package has main's value of ${inUse.path}.`
  throw new QuireError('value_taken', message, { details: { path: inUse.path } })
}

/** Errors: `referenced`. */
async function requireUnheld(call: Call, branch: Branch, { id }: Entity): Promise<void> {
  const edges = await call.store.entities.incoming(branch, id, 100)
  const holders = edges.filter(({ source }) => source.id !== id)
  if (holders.length === 0) return
  const named = namedHolders(call, holders)
  throw new QuireError('referenced', 'Others in the package refer to what it created: change those first.', {
    details: { count: named.length, holders: named },
  })
}
