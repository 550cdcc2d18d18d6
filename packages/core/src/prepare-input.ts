import {
  contract,
  type BytesIn,
  type Contract,
  type Endpoint,
  type KeyPermission,
  type ParsedOf,
} from '@quire/contract'
import { itemSave, withItemInput, type ItemSave } from './branches/auto-package/item-input.ts'
import { folderRules } from './content/folders/kind.ts'
import { actionInput, requireActionInput } from './content/items/bulk-action.ts'
import {
  findCopyScope,
  findItem,
  requireMayCreate,
  requireOnItem,
  type ItemTarget,
  type TypeTarget,
} from './content/items/find.ts'
import { openHead, openStructure, type StructureRef } from './content/structure/find.ts'
import { categoryRules, taxonomyRules } from './content/taxonomies/kinds.ts'
import { openTaxonomy } from './content/taxonomies/category.ts'
import { findToChange, type SiteTarget } from './delivery/sites/find.ts'
import { pageRules, sectionRules, siteRules } from './delivery/sites/kinds.ts'
import { requirePermission, withCurrentRights, type Call } from './engine/call.ts'
import { checkInput } from './engine/check-input.ts'
import { hasBefore, runBefore } from './engine/hooks/before.ts'
import { operationsBefore, type HookKind } from './engine/hooks/hooks.ts'
import { requireHeadMatch } from './engine/if-match.ts'
import type { OperationName } from './engine/operation-name.ts'
import { findRepository, findScope, requireOpen, type Scope } from './engine/scope.ts'
import { assetOfFile, fileForHooks } from './files/assets/received-file.ts'
import type { Entity } from './ports/index.ts'
import { findTarget } from './targets.ts'

/** An operation with a validated input. */
export interface NamedInput {
  readonly name: OperationName
  readonly endpoint: Endpoint
  readonly input: Record<string, unknown>
}

/** What to run an operation with, after the hooks. */
interface Prepared {
  readonly call: Call
  readonly input: Record<string, unknown>
}

type Prepare = (call: Call, work: NamedInput) => Promise<Prepared>

/**
 * Prepares the input of an operation by the hooks `before` of what it saves, for a caller who may
 * save it. Null if no such hook applies; `isWhole`: the operation will run in one transaction.
 */
export function preparationOf(
  { environment }: Pick<Call, 'environment'>,
  { name, input }: Pick<NamedInput, 'name' | 'input'>,
  { isWhole }: { readonly isWhole: boolean },
): Prepare | null {
  const kind = kindsBefore.get(name)
  if (kind !== undefined) return hasBefore({ environment }, kind) ? prepareSave : null
  if (name !== 'items.bulk' && name !== 'autoPackage.createAndSave') return null
  if (!hasBefore({ environment }, 'item')) return null
  if (name === 'autoPackage.createAndSave') return prepareCreateAndSave
  // Otherwise each item is a save by itself, and the hooks run for it then.
  return isWhole || input['atomic'] === true ? prepareBulk : null
}

/** The kind that an operation saves, for those that have hooks `before`. */
const kindsBefore: ReadonlyMap<string, HookKind> = new Map(
  (Object.keys(operationsBefore) as HookKind[]).flatMap((kind) =>
    operationsBefore[kind].map((name): [string, HookKind] => [name, kind]),
  ),
)

async function prepareSave(call: Call, work: NamedInput): Promise<Prepared> {
  const input = await savedInput(call, work)
  return { call: await withCurrentRights(call), input }
}

/** The input after the hook. Errors: those of the operation's own checks; those of `runBefore`. */
async function savedInput(call: Call, work: NamedInput): Promise<Record<string, unknown>> {
  const { name, endpoint, input } = work
  const kind = kindsBefore.get(name)
  if (kind === undefined) return input
  // A hook would hold the transaction.
  if (call.store !== call.environment.store)
    throw new TypeError(`${name} is called in a transaction for which its hooks have not run.`)
  const { scope, head } = await findSaved(call, kind, work)
  requireOpen(scope.package)
  return runBefore(call, { kind, operation: name, endpoint, input, scope, head, file: fileOf(input) })
}

function fileOf({ file }: Readonly<Record<string, unknown>>) {
  // The `file` members of all schemas are the same.
  return file === undefined ? null : fileForHooks(assetOfFile(file as BytesIn))
}

/** What a save is about. */
interface Saved {
  readonly scope: Scope
  /** Null if it is new. */
  readonly head: Entity | null
}

const structures = {
  folder: folderRules,
  taxonomy: taxonomyRules,
  category: categoryRules,
  site: siteRules,
  section: sectionRules,
  page: pageRules,
}

/**
 * Finds what an input saves, and checks the caller as the operation will again in its transaction.
 * Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
function findSaved(call: Call, kind: HookKind, work: NamedInput): Promise<Saved> {
  if (kind === 'item') return findSavedItem(call, work)
  const { permission } = work.endpoint
  const isOnSite = typeof permission === 'object' && permission.on === 'site'
  return isOnSite ? findSavedInSite(call, permission, work) : findSavedStructure(call, kind, work)
}

async function findSavedInSite(
  call: Call,
  permission: KeyPermission,
  { name, input }: NamedInput,
): Promise<Saved> {
  const target = (await findTarget(call, permission, input)) as SiteTarget
  const { scope, site } = target
  if (name === 'sites.update') {
    requireHeadMatch(call, site)
    return { scope, head: site }
  }
  if (isCreation(name)) return { scope, head: null }
  const rules = name.startsWith('pages.') ? pageRules : sectionRules
  return { scope, head: await findToChange(call, target, { rules, id: refOf(input).id }) }
}

async function findSavedStructure(
  call: Call,
  kind: keyof typeof structures,
  { name, input }: NamedInput,
): Promise<Saved> {
  const rules = structures[kind]
  const { taxonomyId, ...ref } = refOf(input)
  if (!isCreation(name)) return openHead(call, ref, { rules, act: 'update', ownerId: taxonomyId })
  if (taxonomyId !== undefined)
    return { scope: await openTaxonomy(call, { ...ref, taxonomyId }, ['read', 'create']), head: null }
  return { scope: await openStructure(call, ref, [rules.keys.read, rules.keys.create]), head: null }
}

function isCreation(name: OperationName): boolean {
  return name.endsWith('.create')
}

/** How an input names a structure. A test of the contract checks the names in all schemas. */
function refOf(input: object): StructureRef & { readonly taxonomyId?: string } {
  return input as StructureRef
}

async function findSavedItem(call: Call, { name, endpoint, input }: NamedInput): Promise<Saved> {
  if (typeof endpoint.permission === 'string') throw new TypeError(`${name} has no permission key.`)
  const found = (await findTarget(call, endpoint.permission, input)) as TypeTarget | ItemTarget
  if (!('item' in found)) {
    const { scope } = found
    requireMayCreate(call, scope.branch, typeof input['type'] === 'string' ? input['type'] : undefined)
    return { scope, head: null }
  }
  const { scope, item } = found
  if (name !== 'items.copy') return { scope, head: item }
  return { scope: await findCopyScope(call, input, found), head: item }
}

/**
 * Runs the hooks for each item of a bulk call that is one transaction. An item that is refused is
 * reported when its turn comes; with `atomic` nothing is tried.
 */
async function prepareBulk(call: Call, { input }: NamedInput): Promise<Prepared> {
  // `checkInput` has parsed by the schema of a bulk call.
  const bulk = input as ParsedOf<Contract['items']['bulk']>
  requireActionInput(bulk)
  const name: OperationName = `items.${bulk.action}`
  const endpoint = contract.items[bulk.action]
  const inner: Call = { ...call, ifMatch: undefined, permission: endpoint.permission }
  const inputs = new Map<unknown, PromiseSettledResult<Record<string, unknown>>>()
  for (const id of new Set(bulk.ids)) {
    const work = () =>
      savedInput(inner, { name, endpoint, input: checkInput(endpoint, actionInput(bulk, id)) })
    const [result] = await Promise.allSettled([Promise.resolve().then(work)])
    if (result.status === 'rejected' && bulk.atomic) throw result.reason
    inputs.set(id, result)
  }
  const prepared: Call['prepared'] = (_name, checked) => {
    const result = inputs.get(checked['id'])
    if (result?.status === 'rejected') throw result.reason
    return result?.value ?? checked
  }
  return { call: { ...(await withCurrentRights(call)), prepared }, input }
}

/** Runs the hook for the item of a save into a package, before the package is created. */
async function prepareCreateAndSave(call: Call, { endpoint, input }: NamedInput): Promise<Prepared> {
  // `checkInput` has parsed by the schema of create-and-save.
  const sent = input as ParsedOf<Contract['autoPackage']['createAndSave']>
  const { name, scope, head, ...save } = await findAutoPackaged(call, sent)
  const given = checkInput(save.endpoint, save.input)
  const changed = await runBefore(call, {
    kind: 'item',
    operation: name,
    endpoint: save.endpoint,
    input: given,
    scope,
    head,
    file: fileOf(input),
  })
  const next =
    changed === given
      ? input
      : checkInput(endpoint, { ...input, item: withItemInput(sent, { name, input: changed }) })
  return { call: { ...(await withCurrentRights(call)), prepared: (_name, checked) => checked }, input: next }
}

const itemEndpoints: Readonly<Record<ItemSave['name'], Endpoint>> = {
  'items.create': contract.items.create,
  'items.update': contract.items.update,
  'assets.create': contract.assets.create,
}

/**
 * How the item of a save into a package is saved, for a caller who may do so in some package: the
 * one of a new package is not known yet. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
async function findAutoPackaged(call: Call, sent: ParsedOf<Contract['autoPackage']['createAndSave']>) {
  const { id: repositoryId } = await findRepository(call, sent.repositoryId)
  const isNewPackage = sent.packageAction === 'createNew'
  if (isNewPackage) requirePermission(call, 'packages.create', { repositoryId })
  const into = !isNewPackage && sent.packageName !== undefined ? { packageName: sent.packageName } : {}
  const { name, input } = itemSave(sent, { repositoryId, ...into })
  const endpoint = itemEndpoints[name]
  const scope = await findScope(call, { configId: repositoryId, ...into })
  const inPackages = { repositoryId, packageId: 'any' }
  if (sent.item.id === undefined) {
    requireMayCreate(call, inPackages, sent.item.type)
    return { name, input, endpoint, scope, head: null }
  }
  const head = await findItem(call, scope, sent.item.id)
  requireOnItem(call, head, { ...contract.items.update.permission, branch: inPackages })
  return { name, input, endpoint, scope, head }
}
