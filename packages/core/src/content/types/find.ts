import { QuireError, type ContentType } from '@quire/contract'
import { remember, type Call, type WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { localesOf } from '../../engine/locales.ts'
import { requireRecord } from '../../engine/record-rules.ts'
import { byIdOrName } from '../../engine/scope.ts'
import { parseRightsEntry, rightsEntryText } from '../../engine/access/grants.ts'
import { typeInLocales } from '../locales/fields.ts'
import type { TypeUse } from '../kinds/branch-kind.ts'
import { ownHeadsOf } from '../kinds/heads.ts'
import { securityEvent } from '../../people/audit.ts'
import type { Stored, Entity, Branch, PageCursor, StoreReader } from '../../ports/index.ts'

/**
 * Finds a content type by id or name. Errors: `not_found`; `precondition_failed` if If-Match names
 * another revision.
 */
export async function findType(call: Call, ref: string): Promise<Stored<'type'>> {
  return requireRecord<'type'>(
    call,
    await byIdOrName(call.store.records, 'type', ref),
    `content type "${ref}"`,
  )
}

/**
 * Finds the type of an existing item. Errors: `invalid_state`, which should not happen, because a
 * type with items cannot be deleted.
 */
export async function typeOf(call: Call, { type, repositoryId }: TypeUse): Promise<ContentType> {
  const found = await cachedType(call, type)
  if (!found) throw new QuireError('invalid_state', `The content type "${type}" no longer exists.`)
  return typeIn(call, found, repositoryId)
}

/** Finds the type that a new item names. Errors: `invalid` if it does not exist. */
export async function typeNamed(call: Call, { type, repositoryId }: TypeUse): Promise<ContentType> {
  return typeIn(call, await definedType(call, type), repositoryId)
}

/** Finds a type as it is defined, whatever the locales of a repository. Errors: as for `typeNamed`. */
export async function definedType(call: Call, name: string): Promise<ContentType> {
  const found = await cachedType(call, name)
  if (!found) throw invalid([{ path: 'type', message: `there is no content type "${name}"` }])
  return found
}

/** A type as a repository stores its values. */
export async function typeIn<T extends ContentType>(call: Call, type: T, repositoryId: string): Promise<T> {
  const locales = await localesOf(call, repositoryId)
  return locales ? typeInLocales(type, locales) : type
}

function cachedType(call: Call, name: string): Promise<Stored<'type'> | null> {
  return remember(call, `type:${name}`, () => call.store.records.find('type', `name:${name}`))
}

/** Errors: `type_locked` if the type is locked. */
export function requireUnlocked(type: ContentType): void {
  if (type.isLocked)
    throw new QuireError('type_locked', `The content type "${type.name}" is locked: unlock it first.`)
}

/**
 * Moves the permissions that roles grant on a content type to its new name, or removes them when
 * the type is deleted (`to` is null). So a later type with the same name starts without permissions
 * (TRUST S31).
 */
export async function moveGrants(
  call: WriteCall,
  { type, to }: { type: string; to: string | null },
): Promise<void> {
  for (const { revision, ...role } of await call.store.records.list('role')) {
    const entries = Object.entries(role.permissions.repos)
    if (!entries.some(([name]) => parseRightsEntry(name)?.type === type)) continue
    const repos: Record<string, string[]> = {}
    for (const [name, keys] of entries) {
      const entry = parseRightsEntry(name)
      const isMoved = entry?.type === type
      if (isMoved && to === null) continue
      const at = isMoved ? rightsEntryText({ ...entry, type: to }) : name
      repos[at] = [...new Set([...(repos[at] ?? []), ...keys])]
    }
    const changed = { ...role, permissions: { ...role.permissions, repos } }
    await call.store.records.put('role', changed, revision)
    await call.record(
      securityEvent(call, 'ROLE_UPDATED', { kind: 'role', id: role.id, before: role, after: changed }),
    )
  }
}

/**
 * All branches that can change: main of each repository, and each package that is not merged or
 * deleted.
 */
export async function branchesOf(store: StoreReader): Promise<Branch[]> {
  const repositories = await store.records.list('repository')
  const packages = await store.records.list('package')
  return [
    ...repositories.map(({ id }) => ({ repositoryId: id, packageId: null })),
    ...packages
      .filter(({ state }) => state !== 'merged' && state !== 'deleted')
      .map(({ id, repositoryId }) => ({ repositoryId, packageId: id })),
  ]
}

/** Whether any branch has a live item of the type. */
export async function hasItems(store: StoreReader, type: string): Promise<boolean> {
  for (const branch of await branchesOf(store))
    for await (const _ of idsOnBranch(store, branch, { type, pageSize: 1 })) return true
  return false
}

/**
 * Yields every item of a type on every branch that has its own head of it. Includes archived but
 * not deleted items.
 */
export async function* itemsOfType(
  store: StoreReader,
  { type }: { type: string },
): AsyncGenerator<{ branch: Branch; item: Entity }> {
  for (const branch of await branchesOf(store))
    for await (const item of itemsOnBranch(store, branch, type)) yield { branch, item }
}

/** The items of a type of which a branch has its own head. */
export async function* itemsOnBranch(
  store: StoreReader,
  branch: Branch,
  type: string,
): AsyncGenerator<Entity> {
  for await (const ids of idsOnBranch(store, branch, { type }))
    yield* await store.entities.getMany(branch, 'item', ids)
}

interface TypePages {
  /** Default: of all types. */
  readonly type?: string
  readonly pageSize?: number
}

/** Like `itemsOfType`, but yields only ids, in pages of one branch. */
export async function* idsOfType(
  store: StoreReader,
  pages: TypePages & { readonly type: string },
): AsyncGenerator<{ branch: Branch; ids: readonly string[] }> {
  for (const branch of await branchesOf(store))
    for await (const ids of idsOnBranch(store, branch, pages)) yield { branch, ids }
}

/** The ids of the items of a type, or of all, of which a branch has its own head, in pages. */
export async function* idsOnBranch(
  store: StoreReader,
  branch: Branch,
  { type, pageSize = 500 }: TypePages = {},
): AsyncGenerator<readonly string[]> {
  if (branch.packageId !== null) {
    yield* ownIdsOf(store, branch, type)
    return
  }
  let after: PageCursor | undefined
  do {
    const page = await store.entities.list(branch, {
      kind: 'item',
      reader: { types: type === undefined ? 'all' : [type], roles: 'all' },
      archived: true,
      sort: [],
      limit: pageSize,
      count: false,
      ...(after && { after }),
    })
    if (page.entities.length > 0) yield page.entities.map(({ id }) => id)
    after = page.next
  } while (after)
}

/** The ids of what a package has changed. A list of the package would have everything on main, too. */
async function* ownIdsOf(
  store: StoreReader,
  branch: Branch,
  type: string | undefined,
): AsyncGenerator<readonly string[]> {
  for await (const page of ownHeadsOf(store.entities, branch, 'item')) {
    const ids = page
      .filter((head) => (type === undefined || head.type === type) && head.deletedDate === null)
      .map(({ id }) => id)
    if (ids.length > 0) yield ids
  }
}
