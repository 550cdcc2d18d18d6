import { QuireError, type ContentType, type Field, type Issue, type AutoPackageRule } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { rulesOf } from '../fields/index.ts'
import { checkValues, storedIn } from '../types/values.ts'
import { contentOf, type ItemContent } from './content.ts'
import { liveHeads } from '../kinds/heads.ts'
import { letsThrough, type RoleList } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import type { Scope } from '../../engine/scope.ts'
import { headStatus } from './item-json.ts'
import type {
  EntityReader,
  JsonObject,
  Branch,
  StoredJson,
  QueryValue,
  Snapshot,
  StoreReader,
  Entity,
} from '../../ports/index.ts'

/**
 * A content as it can be kept. At every save are checked kinds and formats of the values, and that the folder, categories and roles named are
 * there (DESIGN "Items, versions, status": a draft may be incomplete). Errors: `invalid` naming each member; `value_taken` for a unique value.
 */
export async function requireSoundContent(
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

/** A content to be kept. What it names as its previous version did is not looked for again: others may have deleted it. */
interface ContentToCheck {
  readonly branch: Branch
  readonly type: ContentType
  readonly content: ItemContent
  readonly id: string
  readonly previous: Snapshot | null
  /** What the content was taken from, where that is not its previous version: its texts and lists may be as long as they were there. */
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

/** Errors: `value_taken` when another item of the type on the branch has the value of a unique field. */
export async function requireUniqueValues(
  entities: EntityReader,
  { branch, type, values, id }: { branch: Branch; type: ContentType; values: JsonObject; id: string },
): Promise<void> {
  const [inUse] = await valuesInUse(entities, { branch, type, values, id })
  if (!inUse) return
  const path = `fields.${inUse.field}`
  throw new QuireError('value_taken', `${path}: another ${type.name} has this value.`, { details: { path } })
}

/** The values of unique fields that another item of the type on the branch has, with that item. */
export async function valuesInUse(
  entities: EntityReader,
  { branch, type, values, id }: { branch: Branch; type: ContentType; values: JsonObject; id: string },
): Promise<{ field: string; value: QueryValue; holderId: string }[]> {
  const inUse = []
  for (const { field, value } of uniqueValues(type.fields, values)) {
    const holder = await holderOf(entities, { branch, type, field, value, id })
    if (holder) inUse.push({ field: field.name, value, holderId: holder.id })
  }
  return inUse
}

/** The values of unique fields, as they are compared. */
export function uniqueValues(
  fields: readonly Field[],
  values: JsonObject,
): { field: Field; value: QueryValue }[] {
  return fields.flatMap((field) => {
    const value = values[field.name]
    const compared = value === undefined ? null : rulesOf(field).compareBy(value)
    return field.unique && (typeof compared === 'string' || typeof compared === 'number')
      ? [{ field, value: compared }]
      : []
  })
}

async function holderOf(
  entities: EntityReader,
  {
    branch,
    type,
    field,
    value,
    id,
  }: { branch: Branch; type: ContentType; field: Field; value: QueryValue; id: string },
): Promise<StoredJson | undefined> {
  const { entities: holders } = await entities.list(branch, {
    kind: 'item',
    reader: { types: [type.name], roles: 'all' },
    filter: { field: { path: field.name, list: false }, op: 'eq', value },
    archived: true,
    sort: [],
    limit: 2,
    count: false,
  })
  return holders.find((holder) => holder.id !== id)
}

/** An issue for each id that is no category on the branch. */
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

/** What a save makes of the role lists of an item. */
interface ListChange {
  readonly repositoryId: string
  /** What the item, or the one that it is copied from, had before; null for a new one. */
  readonly before: ItemContent | null
  readonly after: ItemContent
}

/** The members of an item that are role lists. */
export const roleLists = ['readPerm', 'writePerm', 'deletePerm'] as const

/**
 * Only who is let through by a role list may change it, and only to one that lets them through as well: nobody takes an item away from
 * those who reach it, to where they do not reach it themselves. Errors: `forbidden` naming the list.
 */
export function requireOwnLists(call: Call, { repositoryId, before, after }: ListChange): void {
  const { permissions } = call.identity
  for (const list of roleLists) {
    const [old, next] = [before?.[list] ?? [], after[list]]
    if (isSame([...old].toSorted(), [...next].toSorted())) continue
    if (!letsThrough(permissions, { repositoryId, roles: old }))
      throw new QuireError(
        'forbidden',
        'Only holders of its roles may change who may do what with this item.',
      )
    requireNamed(call, list, { repositoryId, roles: next })
  }
}

/** Nobody names roles in a list that would not let them through. Errors: `forbidden` naming the list. */
export function requireNamed(call: Call, list: (typeof roleLists)[number], named: RoleList): void {
  if (letsThrough(call.identity.permissions, named)) return
  throw new QuireError('forbidden', `${list}: you must hold one of the roles that you name.`)
}

/** Whether somebody who was let through by the first list may not be by the second. */
export function closes(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false
  return before.length === 0 || before.some((role) => !after.includes(role))
}

/** To close what is published to some of its readers is to take it back from them. Errors: `forbidden` with the key that unpublishes. */
export function requireClosing(call: Call, head: Entity, { before, after }: ListChange): void {
  if (head.packageId !== null || head.publishedVersion === null || head.archived) return
  if (!closes(before?.readPerm ?? [], after.readPerm)) return
  requirePermission(call, 'items.publish', { repositoryId: head.repositoryId, type: head.type })
}

/** What of a save a rule looks at. */
interface RuledSave {
  readonly scope: Scope
  readonly type: { readonly name: string }
  readonly previous: Entity | null
  readonly content: Pick<ItemContent, 'folderId'>
}

/** Errors: `auto_package_required` naming the rule when the save goes to main and a rule wants it in a package. */
export async function requireDirectSave(store: StoreReader, save: RuledSave): Promise<void> {
  if (save.scope.package) return
  for (const rule of await store.records.list('autoPackageRule')) {
    if (!rule.enabled || !(await matchesRule(store.entities, rule, save))) continue
    const message = `The rule "${rule.name}" wants this save in a package: send it to create-and-save.`
    throw new QuireError('auto_package_required', message, {
      details: { ruleId: rule.id, ruleName: rule.name, repositoryId: rule.repositoryId },
    })
  }
}

/** Whether a rule is about a save: its repository, and of each list that is not empty one entry. */
export async function matchesRule(
  entities: EntityReader,
  { repositoryId, types, folders, statuses }: AutoPackageRule,
  { scope, type, previous, content }: RuledSave,
): Promise<boolean> {
  if (repositoryId !== scope.repository.id) return false
  if (types.length > 0 && !types.includes(type.name)) return false
  if (statuses.length > 0 && !statuses.includes(previous ? headStatus(previous) : 'draft')) return false
  if (folders.length === 0) return true
  // Moving something out is a change of what the folder holds.
  const touched = [content.folderId, ...(previous ? [previous.parentId] : [])]
  for (const folderId of new Set(touched))
    if (await isWithin(entities, scope.branch, { folderId, folders })) return true
  return false
}

/** Whether a folder is one of some folders or stands below one. */
async function isWithin(
  entities: EntityReader,
  branch: Branch,
  { folderId, folders }: { folderId: string | null; folders: readonly string[] },
): Promise<boolean> {
  const climbed = new Set<string>()
  for (let id = folderId; id !== null && !climbed.has(id);) {
    if (folders.includes(id)) return true
    climbed.add(id)
    id = (await entities.get(branch, 'folder', id))?.parentId ?? null
  }
  return false
}
