import { limits, QuireError, type Contract, type Package, type ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call, type WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { withoutStamps } from '../../content/items/content.ts'
import { namedInPackage, publicationsIn, type PublicVersions } from '../../content/items/publications.ts'
import { mainOf } from '../../engine/scope.ts'
import { isSame } from '../../engine/same.ts'
import type { Base, Entity, EntityVersion, StoreReader, Transaction } from '../../ports/index.ts'
import {
  type MergedChange,
  newPackage,
  serializePackage,
  requireState,
  storeNew,
  withPackage,
  type PackageScope,
} from './record.ts'
import { requireUnreservedName } from './names.ts'
import { branchKinds, branchRulesOf } from './kinds.ts'
import { requireWriting } from './rights.ts'

type Input = ParsedOf<Contract['packages']['revert']>

/**
 * Creates a package that undoes a merge. Each change has the state after the merge as its base and
 * the state before the merge as its content, so that later changes on main are merged as usual.
 * Entities that were purged since are left out.
 * Errors: `not_found`, `forbidden` without the keys and roles to make these changes, `name_taken`,
 * `slug_taken`; `invalid_state` unless the package is merged, or when main no longer has an earlier
 * version.
 */
export function revertPackage(
  call: Call,
  { name, description, ...ref }: Input,
): Promise<Serialized<Package>> {
  return withPackage(call, ref, {
    key: 'packages.merge',
    async work(call, scope) {
      const { package: merged, repository } = scope
      requireState(merged, ['merged'], 'only a merged package can be reverted')
      requirePermission(call, 'packages.create', { repositoryId: repository.id })
      const record = await call.store.records.get('merge', merged.id)
      const newName = name ?? revertName(merged.name)
      requireUnreservedName(newName)
      const stored = await storeNew(
        call,
        newPackage(call, { repositoryId: repository.id, name: newName, description, revertOf: merged.id }),
      )
      const branch = { repositoryId: repository.id, packageId: stored.id }
      const changes: MergedChange[] = JSON.parse(record?.changes ?? '[]')
      await revertChanges(call, { scope: { repository, package: stored, branch }, changes })
      return serializePackage(stored)
    },
  })
}

/**
 * The default name of a package that reverts another, at most `limits.name` UTF-16 units long. Cuts
 * whole characters, and does not end in a space or slash.
 */
function revertName(name: string): string {
  const characters = Array.from(`revert-${name}`)
  while (characters.join('').length > limits.name) characters.pop()
  return characters.join('').replace(/[ /]+$/, '')
}

interface Revert {
  readonly scope: PackageScope
  readonly changes: readonly MergedChange[]
}

async function revertChanges(call: WriteCall, { scope, changes }: Revert): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const due: EntityRevert[] = []
  for (const change of changes) {
    const head = await call.store.entities.get(mainOf(scope).branch, change.kind, change.id)
    if (!head) continue
    const { before, after } = change
    requireWriting(call, head, before === null ? 'delete' : 'update')
    const locales = await localesToRestore(call, change, { head, scope })
    const version = await mainVersion(call.store, { scope, head, version: (before ?? after).version })
    due.push({ change, head, version, locales })
    await yieldToLoop()
  }
  const hidden = await hideMoving(call, { scope, due })
  for (const one of inWritingOrder(due)) {
    await revertEntity(call, { scope, due: one, previous: hidden.get(one.change.id) ?? one.head })
    await yieldToLoop()
  }
}

/**
 * Deletes first, because a deleted entity may have a slug that another gets back. Then the kinds
 * that other kinds refer to.
 */
function inWritingOrder(due: readonly EntityRevert[]): readonly EntityRevert[] {
  const rank = ({ change: { kind, before } }: EntityRevert) =>
    before === null || before.deleted ? -1 : branchKinds.findIndex((rules) => rules.kind === kind)
  return due.toSorted((a, b) => rank(a) - rank(b))
}

/** A change to revert: main's current head, and the version to bring back. */
interface EntityRevert {
  readonly change: MergedChange
  readonly head: Entity
  readonly version: EntityVersion | Entity
  /** The locales in which main published this version before the merge; null: as the numbers of the heads say. */
  readonly locales: readonly string[] | null
}

/**
 * Hides entities whose slug or unique values change back behind a deleted head in the package. They
 * can then be written one by one, even when they swap values in a cycle.
 */
async function hideMoving(
  call: WriteCall,
  { scope, due }: { scope: PackageScope; due: readonly EntityRevert[] },
): Promise<ReadonlyMap<string, Entity>> {
  const yieldToLoop = yieldingToLoop()
  const hidden = new Map<string, Entity>()
  for (const { change, head, version } of due) {
    const rules = branchRulesOf(change.kind)
    const claims = await rules.claims(call, head, rules.content(head))
    const claimsAfter = await rules.claims(
      call,
      { ...version, repositoryId: head.repositoryId },
      rules.content(version),
    )
    if (head.deletedDate !== null || isSame([...claims], [...claimsAfter])) continue
    const applied = await rules.apply(call, {
      scope,
      previous: head,
      origin: head,
      content: null,
      state: () => ({ deletedDate: call.now }),
      events: [],
      details: {},
    })
    hidden.set(change.id, applied)
    await yieldToLoop()
  }
  return hidden
}

async function revertEntity(
  call: WriteCall,
  { scope, due, previous }: { scope: PackageScope; due: EntityRevert; previous: Entity },
): Promise<void> {
  const { change, head, version, locales } = due
  const { before, after } = change
  const rules = branchRulesOf(change.kind)
  await rules.apply(call, {
    scope,
    previous,
    origin: { ...head, ...version },
    content: rules.content(version),
    state: (number) => ({
      base: after,
      archived: (before ?? after).archived,
      deletedDate: before === null || before.deleted ? call.now : null,
      ...(locales
        ? publishedInLocales(call, scope, { head, after, locales, number })
        : publishedState({ before, after, head, number })),
    }),
    events: [rules.events.updated],
    details: { revertOf: scope.package.revertOf },
  })
}

/** Errors: `invalid_state` when main no longer has the version. */
async function mainVersion(
  store: Transaction,
  { scope, head, version }: { scope: PackageScope; head: Entity; version: number },
): Promise<EntityVersion | Entity> {
  if (head.version === version) return head
  const found = await store.entities.version(mainOf(scope).branch, head, version)
  if (found) return found
  throw new QuireError(
    'invalid_state',
    `Main no longer has version ${version} of ${head.id}, so the merge cannot be reverted.`,
  )
}

/**
 * The locales in which the version before the merge was public and something else is since. Errors:
 * `invalid_state` if something else than that version is to be public again, which no package can do.
 */
async function localesToRestore(
  { store }: Call,
  { id, before, after, locales: published }: MergedChange,
  { head, scope }: { head: Entity; scope: PackageScope },
): Promise<readonly string[] | null> {
  const { locales } = scope.repository.settings
  if (!published || !locales || !before || before.deleted || after.deleted) return null
  const now = publicationsIn(head, locales)
  const codes: string[] = []
  for (const [code, versions] of Object.entries(published)) {
    const current = now[code]?.version ?? null
    // Somebody has said since what is public there.
    if (!(await isSameVersion(store, head, [versions.after, current]))) continue
    if (versions.before !== before.version) throw notToRestore(id, code, versions)
    codes.push(code)
  }
  return codes
}

/** Whether two versions of main have the same content: a revert may have written it again. */
async function isSameVersion(
  { entities }: StoreReader,
  head: Entity,
  [one, other]: readonly [number | null, number | null],
): Promise<boolean> {
  if (one === other) return true
  if (one === null || other === null) return false
  const rules = branchRulesOf(head.kind)
  const contentAt = async (number: number) => {
    const version = number === head.version ? head : await entities.version(head, head, number)
    return version && withoutStamps(rules.content(version))
  }
  const content = await contentAt(one)
  return content !== null && isSame(content, await contentAt(other))
}

function notToRestore(id: string, code: string, { before: was, after }: PublicVersions): QuireError {
  const what = was === null ? 'nothing' : `version ${was}`
  const done = after === null ? 'unpublished' : 'published'
  const todo = was === null ? 'unpublish it there' : 'publish what is to be public there'
  return new QuireError(
    'invalid_state',
    `The merge ${done} ${id} in "${code}", where ${what} was public: ${todo}, and then revert the rest.`,
  )
}

interface RestoredIn {
  readonly head: Entity
  readonly after: Base
  readonly locales: readonly string[]
  readonly number: number
}

/** Publishes the version before the merge in some locales again, and nothing in others. */
function publishedInLocales(
  call: Call,
  { repository: { settings } }: PackageScope,
  { head, after, locales: codes, number }: RestoredIn,
): Partial<Entity> {
  const publication = { version: number, date: call.now }
  const isOwn = codes.length > 0
  return {
    publishedVersion: isOwn ? number : after.publishedVersion,
    inheritsPublished: !isOwn && after.publishedVersion !== null,
    publishedDate: isOwn ? call.now : head.publishedDate,
    ...namedInPackage({ main: head, codes, publication }, settings.locales),
  }
}

/**
 * Restores what was published before the merge. If that was main's newest version then and the
 * merge changed it, the package's new version is published; otherwise main's version.
 */
function publishedState({
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
  if (was === null) return { publishedVersion: null, inheritsPublished: false, publishedDate: null }
  const isBack = was !== after.publishedVersion && was === before?.version
  const { publishedDate } = head
  return { publishedVersion: isBack ? number : was, inheritsPublished: !isBack, publishedDate }
}
