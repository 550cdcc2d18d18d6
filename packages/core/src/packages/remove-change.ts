import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { requireOpen } from '../lines/lines.ts'
import { entityKinds, type Entity, type EntityReader, type Line } from '../ports/index.ts'
import { presentChange } from './change.ts'
import { rulesOf } from './kinds.ts'
import { packageEvent, withPackage, type PackagePlace } from './record.ts'
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
    async work(inside, tx, place) {
      requireOpen(place.package)
      const head = await ownHead(tx.entities, place.line, entityId)
      if (!head || !mayReadHead(inside, head))
        throw new QuireError('not_found', `The package holds no change of "${entityId}" that you may read.`)
      requireWriting(inside, head, head.base === null ? 'delete' : 'update')
      if (head.base === null && head.deletedDate === null) await requireUnheld(inside, place.line, head)
      const [change] = await sidesOfAll(tx.entities, place, [head])
      if (change) await requireUnclaimed(inside, place, change)
      await tx.entities.purge(place.line, head)
      await rulesOf(head.kind).uncover(tx, place.line)
      await tx.journal.record(
        packageEvent(inside, 'PACKAGE_CHANGE_REMOVED', {
          about: place.package,
          details: { entity: entityId },
        }),
      )
      return dryRun === true && change ? presentChange(change) : undefined
    },
  })
}

/** The head of an id of any kind that the line itself holds. */
async function ownHead(entities: EntityReader, line: Line, id: string): Promise<Entity | null> {
  for (const kind of entityKinds) {
    const head = await entities.get(line, kind, id)
    if (head && head.packageId === line.packageId) return head
  }
  return null
}

/** What main shows again must not meet another of the package. Errors: `slug_taken`, `value_taken`. */
async function requireUnclaimed(
  call: Call,
  place: PackagePlace,
  { rules, head, mainHead }: ChangeSides,
): Promise<void> {
  if (!mainHead || mainHead.deletedDate !== null) return
  const { kind, id, slug, type } = mainHead
  const holder = slug === null ? null : await call.store.entities.getBySlug(place.line, kind, slug)
  if (holder && holder.id !== head.id)
    throw new QuireError('slug_taken', `Another of the package has the slug "${slug}" of main.`)
  const [taken] = await rules.taken(call, { place, id, type, content: rules.content(mainHead) })
  if (!taken) return
  const message = `Another of the package has main's value of ${taken.path}.`
  throw new QuireError('value_taken', message, { details: { path: taken.path } })
}

/** Errors: `referenced`. */
async function requireUnheld(call: Call, line: Line, { id }: Entity): Promise<void> {
  const edges = await call.store.entities.incoming(line, id, 100)
  const holders = edges.filter(({ source }) => source.id !== id)
  if (holders.length === 0) return
  const named = namedHolders(call, holders)
  throw new QuireError('referenced', 'Others in the package refer to what it created: change those first.', {
    details: { count: named.length, holders: named },
  })
}
