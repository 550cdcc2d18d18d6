import {
  contract,
  QuireError,
  type AutoPackageRule,
  type Contract,
  type Item,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import { requirePermission, inContext, type Call, type WriteCall } from '../../engine/call.ts'
import { checkInput, invalid } from '../../engine/check-input.ts'
import { matchesRule } from '../../content/items/check.ts'
import { contentOf } from '../../content/items/content.ts'
import { takeFile } from '../../files/assets/file-text.ts'
import { withFile } from '../../files/assets/create.ts'
import { findItem, requireOnItem, requireReadable } from '../../content/items/find.ts'
import { updateWith } from '../../content/items/update.ts'
import { defaultValues } from '../../content/locales/read.ts'
import { typeOf } from '../../content/types/find.ts'
import { findPackage, findRepository, findScope, scopeOf, requireOpen } from '../../engine/scope.ts'
import { requireUnreservedName } from '../packages/names.ts'
import { newPackage, storeNew } from '../packages/record.ts'
import { itemSave } from './item-input.ts'
import { findVisibleRule, nameFrom, requireName } from './rules.ts'
import type { Entity, Stored } from '../../ports/index.ts'

export { createAndSave }

type CreateAndSave = Contract['autoPackage']['createAndSave']
type Input = ParsedOf<CreateAndSave>

/**
 * Saves an item into a package as an auto-package rule requires, in one transaction. With
 * `createNew` it creates the package first (specification 4.3).
 * Errors: `not_found` for the repository, rule, package or item; `invalid` when the rule does not
 * apply to this save or a name is missing; `forbidden`; the errors of the save and of creating a
 * package.
 */
async function createAndSave(call: Call, input: Input): Promise<OutputOf<CreateAndSave>> {
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, input.repositoryId)
    const rule = await requireRule(call, input.ruleId, repositoryId)
    const target = await packageFor(call, { input, rule })
    const saved = { input, repositoryId, packageName: target.name }
    const item = await saveInto(inContext(call, input.item), saved)
    await requireMatch(call, rule, item)
    return {
      ...item,
      autoPackage: {
        ruleId: rule.id,
        ruleName: rule.name,
        packageId: target.id,
        packageName: target.name,
        action: input.packageAction,
        created: input.packageAction === 'createNew',
      },
    }
  })
}

async function requireRule(call: Call, ruleId: string, repositoryId: string): Promise<AutoPackageRule> {
  // `findRule` would compare If-Match with the rule, but it names a revision of the item.
  const rule = await findVisibleRule(call, ruleId)
  if (rule?.repositoryId === repositoryId) return rule
  throw new QuireError('not_found', `There is no auto-package rule "${ruleId}" in this repository.`)
}

/**
 * Finds or creates the package to save into. Errors: `not_found`, `invalid_state`; `forbidden`,
 * `name_taken`, `invalid` for a new one.
 */
async function packageFor(
  call: WriteCall,
  { input, rule }: { input: Input; rule: AutoPackageRule },
): Promise<Stored<'package'>> {
  const { repositoryId } = rule
  if (input.packageAction === 'addToExisting') {
    if (input.packageName === undefined) throw missing('packageName', 'addToExisting')
    const found = await findPackage(call, repositoryId, input.packageName)
    requireOpen(found)
    return found
  }
  requirePermission(call, 'packages.create', { repositoryId })
  const name = await newName(call, { input, rule })
  requireUnreservedName(name, 'newPackageName')
  return storeNew(
    call,
    newPackage(call, { repositoryId, name, description: input.newPackageDescription ?? '' }),
  )
}

async function newName(
  call: Call,
  { input, rule }: { input: Input; rule: AutoPackageRule },
): Promise<string> {
  if (input.newPackageName !== undefined) return requireName(input.newPackageName)
  if (rule.packageNameTemplate === null) throw missing('newPackageName', 'createNew')
  const date = new Date(call.now).toISOString().slice(0, 10)
  return nameFrom(rule.packageNameTemplate, { item: await itemForName(call, { input, rule }), rule, date })
}

/** The item as the name template sees it: main's content with the sent members on top. */
async function itemForName(
  call: Call,
  { input: { item }, rule }: { input: Input; rule: AutoPackageRule },
): Promise<Readonly<Record<string, unknown>>> {
  const branch = { repositoryId: rule.repositoryId, packageId: null }
  const head =
    item.id === undefined
      ? null
      : requireReadable(call, await call.store.entities.get(branch, 'item', item.id))
  const known = head ? await knownItem(call, head) : { fields: {} }
  return { ...known, ...item, fields: { ...known.fields, ...item.fields } }
}

async function knownItem(call: Call, head: Entity) {
  const content = contentOf(head)
  const fields = defaultValues(await typeOf(call, head), content.fields)
  return { ...content, fields, type: head.type }
}

function missing(path: string, action: string) {
  return invalid([{ path, message: `is required with packageAction ${action}` }])
}

/** Creates the item on the package's branch, or updates it there when it has an id. */
async function saveInto(
  call: WriteCall,
  { input: sent, repositoryId, packageName }: { input: Input; repositoryId: string; packageName: string },
): Promise<Item> {
  const { name, input, file } = itemSave(sent, { repositoryId, packageName })
  if (name !== 'items.update') return valueOf(await call.invoke(name, input))
  // `checkInput` parses by the schema of an update.
  const change = checkInput(contract.items.update, input) as ParsedOf<Contract['items']['update']>
  const scope = await findScope(call, change)
  const previous = await findItem(call, scope, change.id)
  requireOnItem(call, previous, { ...contract.items.update.permission, branch: scope.branch })
  const target = { scope, item: previous }
  if (file) await takeFile(call.store, file)
  return valueOf(await updateWith(call, { input: change, target }, file ? withFile(call, file) : unchanged))
}

function unchanged<T>(content: T): T {
  return content
}

/** Errors: `invalid` when the rule does not apply to what was saved. */
async function requireMatch(call: Call, rule: AutoPackageRule, item: Item): Promise<void> {
  const branch = { repositoryId: rule.repositoryId, packageId: null }
  const previous = await call.store.entities.get(branch, 'item', item.id)
  const scope = await scopeOf(call, branch)
  const save = { scope, type: { name: item.type }, previous, content: { folderId: item.folderId } }
  if (rule.enabled && (await matchesRule(call.store.entities, rule, save))) return
  throw invalid([{ path: 'ruleId', message: `the rule "${rule.name}" does not apply to this save` }])
}
