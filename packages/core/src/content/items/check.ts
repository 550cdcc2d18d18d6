import { QuireError, type ContentType, type Issue, type AutoPackageRule } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { uniqueValues } from '../types/derived.ts'
import { checkValues, storedIn } from '../types/values.ts'
import { contentOf, type ItemContent } from './content.ts'
import { liveHeads } from '../kinds/heads.ts'
import { letsThrough, type RoleList } from '../../engine/access/role-lists.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import type { Scope } from '../../engine/scope.ts'
import { headStatus } from './item-json.ts'
import {
  type EntityReader,
  type JsonObject,
  type Branch,
  type StoredJson,
  type QueryValue,
  type Snapshot,
  type StoreReader,
  type Entity,
} from '../../ports/index.ts'

/**
 * Checks a content and returns it as it is to be stored. Every save checks the kinds and formats of
 * the values, and that the folder, categories and roles exist. Required values may be missing,
 * because a draft may be incomplete (DESIGN "Items, versions, status").
 * Errors: `invalid` naming each member; `value_taken` for a unique value that another item has.
 */
export async function requireValidContent(
  store: StoreReader,
  { branch, type, content, id, previous, origin = null }: ContentToCheck,
): Promise<ItemContent> {
  const before = previous ? contentOf(previous) : null
  const known = [previous, origin].filter((snapshot) => snapshot !== null)
  const stored = storedIn(...known.map((snapshot) => contentOf(snapshot).fields))
  const { values, issues } = await checkValues(type.fields, content.fields, stored)
  const categories = await categoryIssues(store.entities, branch, content.categories)
  const all = [
    ...issues,
    ...categories.filter((issue) => !isStored(before?.categories, content.categories, issue)),
    ...(content.folderId === before?.folderId
      ? []
      : await folderIssues(store.entities, branch, content.folderId)),
    ...(await roleIssues(store, content, before)),
  ]
  if (all.length > 0) throw invalid(all)
  await requireUniqueValues(store.entities, { branch, type, values, id })
  return { ...content, fields: values }
}

/**
 * A content to check. Ids that its previous version already contained are not looked up again,
 * because their targets may have been deleted since.
 */
interface ContentToCheck {
  readonly branch: Branch
  readonly type: ContentType
  readonly content: ItemContent
  readonly id: string
  readonly previous: Snapshot | null
  /**
   * The source of the content if that is not its previous version. Texts and lists may be as long
   * as in the source.
   */
  readonly origin?: Snapshot | null
}

function isStored(before: readonly string[] = [], after: readonly string[], { path }: Issue): boolean {
  return before.includes(after[Number(path.split('.').at(-1))] ?? '')
}

async function folderIssues(
  entities: EntityReader,
  branch: Branch,
  folderId: string | null,
): Promise<Issue[]> {
  if (folderId === null) return []
  const folder = await entities.get(branch, 'folder', folderId)
  return folder && folder.deletedDate === null
    ? []
    : [{ path: 'folderId', message: `there is no folder "${folderId}"` }]
}

async function roleIssues(
  store: StoreReader,
  content: ItemContent,
  before: ItemContent | null,
): Promise<Issue[]> {
  const issues: Issue[] = []
  for (const member of ['readPerm', 'writePerm', 'deletePerm'] as const) {
    for (const [index, id] of content[member].entries()) {
      const isKnown = before?.[member].includes(id) || (await store.records.get('role', id)) !== null
      if (!isKnown) issues.push({ path: `${member}.${index}`, message: `there is no role "${id}"` })
    }
  }
  return issues
}

/**
 * Errors: `value_taken` if another item of the type on the branch has the same value of a unique
 * field.
 */
export async function requireUniqueValues(
  entities: EntityReader,
  { branch, type, values, id }: { branch: Branch; type: ContentType; values: JsonObject; id: string },
): Promise<void> {
  const [inUse] = await valuesInUse(entities, { branch, type, values, id })
  if (!inUse) return
  const path = `fields.${inUse.path}`
  throw new QuireError('value_taken', `${path}: another ${type.name} has this value.`, { details: { path } })
}

/**
 * Finds values of unique fields that another item of the type on the branch already has, with that
 * item's id.
 */
export async function valuesInUse(
  entities: EntityReader,
  { branch, type, values, id }: { branch: Branch; type: ContentType; values: JsonObject; id: string },
): Promise<{ path: string; value: QueryValue; holderId: string }[]> {
  const inUse = []
  for (const { path, value } of uniqueValues(type.fields, values)) {
    const holder = await holderOf(entities, { branch, type, path, value, id })
    if (holder) inUse.push({ path, value, holderId: holder.id })
  }
  return inUse
}

async function holderOf(
  entities: EntityReader,
  {
    branch,
    type,
    path,
    value,
    id,
  }: { branch: Branch; type: ContentType; path: string; value: QueryValue; id: string },
): Promise<StoredJson | undefined> {
  const { entities: holders } = await entities.list(branch, {
    kind: 'item',
    reader: { types: [type.name], roles: 'all' },
    filter: { field: { path, list: false }, op: 'eq', value },
    archived: true,
    sort: [],
    limit: 2,
    count: false,
  })
  return holders.find((holder) => holder.id !== id)
}

/** One issue for each id that is not a category on the branch. */
async function categoryIssues(
  entities: EntityReader,
  branch: Branch,
  ids: readonly string[],
): Promise<Issue[]> {
  if (ids.length === 0) return []
  const found = await liveHeads(entities, branch, { kind: 'category', ids })
  return ids.flatMap((id, index) =>
    found.has(id) ? [] : [{ path: `categories.${index}`, message: `there is no category "${id}"` }],
  )
}

/** How a save changes the role lists of an item. */
interface RoleListChange {
  readonly repositoryId: string
  /** The previous content of the item, or of the item it is copied from. Null for a new item. */
  readonly before: ItemContent | null
  readonly after: ItemContent
}

/** The members of an item that hold role lists. */
export const roleLists = ['readPerm', 'writePerm', 'deletePerm'] as const

/**
 * Requires that the caller passes each changed role list both before and after the change. So
 * nobody can change the access to an item that they cannot access, or lock themselves out.
 * Errors: `forbidden`.
 */
export function requireRoleListAccess(call: Call, { repositoryId, before, after }: RoleListChange): void {
  const { permissions } = call.identity
  for (const list of roleLists) {
    const [old, next] = [before?.[list] ?? [], after[list]]
    if (isSame([...old].toSorted(), [...next].toSorted())) continue
    if (!letsThrough(permissions, { repositoryId, roles: old }))
      throw new QuireError(
        'forbidden',
        `${list}: only callers with one of the roles in this list may change it.`,
      )
    requireHeldRole(call, list, { repositoryId, roles: next })
  }
}

/**
 * Requires that the caller passes a role list, so that nobody sets a list that excludes them.
 * Errors: `forbidden` naming the list.
 */
export function requireHeldRole(call: Call, list: (typeof roleLists)[number], named: RoleList): void {
  if (letsThrough(call.identity.permissions, named)) return
  throw new QuireError('forbidden', `${list}: you must hold at least one of the roles in this list.`)
}

/**
 * Whether someone whom the first list lets through may be excluded by the second. An empty list
 * lets everyone through.
 */
export function removesReaders(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false
  return before.length === 0 || before.some((role) => !after.includes(role))
}

/**
 * Requires the permission to publish if a change hides a published item of main from some of its
 * readers: for them that is the same as unpublishing it. Errors: `forbidden`.
 */
export function requireMayRemoveReaders(call: Call, head: Entity, { before, after }: RoleListChange): void {
  if (head.packageId !== null || head.publishedVersion === null || head.archived) return
  if (!removesReaders(before?.readPerm ?? [], after.readPerm)) return
  requirePermission(call, 'items.publish', { repositoryId: head.repositoryId, type: head.type })
}

/** The parts of a save that auto-package rules match. */
interface SaveToMatch {
  readonly scope: Scope
  readonly type: { readonly name: string }
  readonly previous: Entity | null
  readonly content: Pick<ItemContent, 'folderId'>
}

/**
 * Errors: `auto_package_required` naming the rule, if the save goes to main and a rule sends it to
 * a package.
 */
export async function requireDirectSave(store: StoreReader, save: SaveToMatch): Promise<void> {
  if (save.scope.package) return
  for (const rule of await store.records.list('autoPackageRule')) {
    if (!rule.enabled || !(await matchesRule(store.entities, rule, save))) continue
    const message = `The rule "${rule.name}" requires a package for this save: send it to create-and-save.`
    throw new QuireError('auto_package_required', message, {
      details: { ruleId: rule.id, ruleName: rule.name, repositoryId: rule.repositoryId },
    })
  }
}

/**
 * Whether a rule matches a save: the repository is the same, and each non-empty list of the rule
 * has a matching entry.
 */
export async function matchesRule(
  entities: EntityReader,
  { repositoryId, types, folders, statuses }: AutoPackageRule,
  { scope, type, previous, content }: SaveToMatch,
): Promise<boolean> {
  if (repositoryId !== scope.repository.id) return false
  if (types.length > 0 && !types.includes(type.name)) return false
  if (statuses.length > 0 && !statuses.includes(previous ? headStatus(previous) : 'draft')) return false
  if (folders.length === 0) return true
  // Moving an item out of a folder also changes that folder.
  const touched = [content.folderId, ...(previous ? [previous.parentId] : [])]
  for (const folderId of new Set(touched))
    if (await isWithin(entities, scope.branch, { folderId, folders })) return true
  return false
}

/** Whether a folder is one of the given folders or is inside one, at any depth. */
async function isWithin(
  entities: EntityReader,
  branch: Branch,
  { folderId, folders }: { folderId: string | null; folders: readonly string[] },
): Promise<boolean> {
  const visited = new Set<string>()
  for (let id = folderId; id !== null && !visited.has(id);) {
    if (folders.includes(id)) return true
    visited.add(id)
    id = (await entities.get(branch, 'folder', id))?.parentId ?? null
  }
  return false
}
