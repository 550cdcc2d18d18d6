import { limits, QuireError, type Contract, type Package, type ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { mainOf } from '../lines/lines.ts'
import { isSame } from '../merge/same.ts'
import type { Base, Entity, EntityVersion, MergedChange, Transaction } from '../ports/index.ts'
import { requireFreeName } from './create.ts'
import { lineKinds, rulesOf } from './kinds.ts'
import {
  newPackage,
  presentPackage,
  requireState,
  storeNew,
  withPackage,
  type PackagePlace,
} from './record.ts'
import { requireWriting } from './rights.ts'

type Input = ParsedOf<Contract['packages']['revert']>

/**
 * Makes a package whose changes take back what a merge wrote: what the merge made is its base, what was before its content. So main
 * may have gone on since: that is merged as ever. What was purged meanwhile is left out.
 * Errors: `not_found`, `forbidden` without the keys and roles to make these changes, `name_taken`, `slug_taken`; `invalid_state` unless the package is merged, or when main no longer
 * keeps a version from before.
 */
export function revertPackage(call: Call, { name, description, ...ref }: Input): Promise<Presented<Package>> {
  return withPackage(call, ref, {
    key: 'packages.merge',
    async work(inside, tx, place) {
      const { package: merged, repository } = place
      requireState(merged, ['merged'], 'only a merge can be taken back')
      requirePermission(inside, 'packages.create', { repositoryId: repository.id })
      const record = await tx.records.get('merge', merged.id)
      const named = name ?? revertName(merged.name)
      requireFreeName(named)
      const stored = await storeNew(
        inside,
        tx,
        newPackage(inside, { repositoryId: repository.id, name: named, description, revertOf: merged.id }),
      )
      const line = { repositoryId: repository.id, packageId: stored.id }
      const changes: MergedChange[] = JSON.parse(record?.changes ?? '[]')
      await takeBack(inside, tx, { place: { repository, package: stored, line }, changes })
      return presentPackage(stored)
    },
  })
}

/** A name for the package that undoes another: cut between characters, where a name may end. */
function revertName(name: string): string {
  const characters = Array.from(`revert-${name}`)
  while (characters.join('').length > limits.name) characters.pop()
  return characters.join('').trimEnd()
}

interface TakingBack {
  readonly place: PackagePlace
  readonly changes: readonly MergedChange[]
}

async function takeBack(call: Call, tx: Transaction, { place, changes }: TakingBack): Promise<void> {
  const turn = takingTurns()
  const due: Due[] = []
  for (const change of changes) {
    const head = await tx.entities.get(mainOf(place).line, change.kind, change.id)
    if (!head) continue
    const { before, after } = change
    requireWriting(call, head, before === null ? 'delete' : 'update')
    const version = await mainVersion(tx, { place, head, version: (before ?? after).version })
    due.push({ change, head, version })
    await turn()
  }
  const parked = await hideMoving(call, tx, { place, due })
  for (const one of inWritingOrder(due)) {
    await takeBackOne(call, tx, { place, due: one, previous: parked.get(one.change.id) ?? null })
    await turn()
  }
}

/** What goes away first: it may hold an address that another gets back. Of the rest what others refer to. */
function inWritingOrder(due: readonly Due[]): readonly Due[] {
  const rank = ({ change: { kind, before } }: Due) =>
    before === null || before.deleted ? -1 : lineKinds.findIndex((rules) => rules.kind === kind)
  return due.toSorted((a, b) => rank(a) - rank(b))
}

/** A change to be taken back: main's head now, and what it is to say again. */
interface Due {
  readonly change: MergedChange
  readonly head: Entity
  readonly version: EntityVersion | Entity
}

/**
 * Hides what gets another address or unique value back behind a deleted head of the package, so that all can be written one by one,
 * in circles too.
 */
async function hideMoving(
  call: Call,
  tx: Transaction,
  { place, due }: { place: PackagePlace; due: readonly Due[] },
): Promise<ReadonlyMap<string, Entity>> {
  const turn = takingTurns()
  const hidden = new Map<string, Entity>()
  for (const { change, head, version } of due) {
    const rules = rulesOf(change.kind)
    const claims = await rules.claims(call, head.type, rules.content(head))
    const again = await rules.claims(call, version.type, rules.content(version))
    if (head.deletedDate !== null || isSame([...claims], [...again])) continue
    const landed = await rules.land(call, tx, {
      place,
      previous: head,
      origin: head,
      content: null,
      marks: () => ({ deletedDate: call.now }),
      events: [],
      details: {},
    })
    hidden.set(change.id, landed)
    await turn()
  }
  return hidden
}

async function takeBackOne(
  call: Call,
  tx: Transaction,
  { place, due, previous }: { place: PackagePlace; due: Due; previous: Entity | null },
): Promise<void> {
  const { change, head, version } = due
  const { before, after } = change
  const rules = rulesOf(change.kind)
  await rules.land(call, tx, {
    place,
    previous,
    origin: { ...head, ...version },
    content: rules.content(version),
    marks: (number) => ({
      base: after,
      archived: (before ?? after).archived,
      deletedDate: before === null || before.deleted ? call.now : null,
      ...publishedMarks({ before, after, head, number }),
    }),
    events: [rules.events.updated],
    details: { revertOf: place.package.revertOf },
  })
}

/** Errors: `invalid_state` when main forgot the version. */
async function mainVersion(
  tx: Transaction,
  { place, head, version }: { place: PackagePlace; head: Entity; version: number },
): Promise<EntityVersion | Entity> {
  if (head.version === version) return head
  const found = await tx.entities.version(mainOf(place).line, head, version)
  if (found) return found
  throw new QuireError(
    'invalid_state',
    `Main no longer keeps version ${version} of ${head.id}: the merge cannot be taken back.`,
  )
}

/** What was published before is published again: the package's version where that was the newest, else main's of then. */
function publishedMarks({
  before,
  after,
  head,
  number,
}: {
  before: Base | null
  after: Base
  head: Entity
  number: number
}): Partial<Entity> {
  const was = before?.publishedVersion ?? null
  if (was === null) return { publishedVersion: null, publishedDate: null }
  const isBack = was !== after.publishedVersion && was === before?.version
  return { publishedVersion: isBack ? number : -was, publishedDate: head.publishedDate }
}
