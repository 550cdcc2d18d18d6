import { QuireError, type AutoPackageRule } from '@quire/contract'
import type { Entity, EntityReader, Branch, StoreReader } from '../../ports/index.ts'
import type { Scope } from '../../engine/scope.ts'
import type { ItemContent } from './content.ts'
import { headStatus } from './item-json.ts'

/** What of a save a rule looks at. */
export interface RuledSave {
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
