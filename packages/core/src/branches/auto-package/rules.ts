import {
  type AutoPackageRule,
  type Contract,
  type OutputOf,
  type ParsedOf,
  NewPackageName,
  parseAs,
} from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { entryInRepository, recordsOf, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { findRepository } from '../../engine/scope.ts'
import { liquidWithin, renderTemplate } from '../../engine/liquid.ts'
import type { Stored, StoreReader } from '../../ports/index.ts'

type Group = Contract['autoPackageRules']

const records = recordsOf({
  kind: 'autoPackageRule',
  called: 'auto-package rule',
  events: {
    created: 'AUTO_PACKAGE_RULE_CREATED',
    updated: 'AUTO_PACKAGE_RULE_UPDATED',
    deleted: 'AUTO_PACKAGE_RULE_DELETED',
  },
  entry: entryInRepository<AutoPackageRule>('autoPackageRule'),
})

/** The rules of a repository, by id. Errors: `not_found`, `forbidden`. */
async function listRules(
  call: Call,
  { repositoryId: ref, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, ref)
  requirePermission(call, 'packages.view', { repositoryId })
  const all = await call.store.records.list('autoPackageRule')
  return records.page(
    all.filter((rule) => rule.repositoryId === repositoryId),
    page,
  )
}

/** One rule. Errors: `not_found`. */
async function getRule(call: Call, { id }: ParsedOf<Group['get']>): Promise<Serialized<AutoPackageRule>> {
  return records.serialize(await findRule(call, id))
}

/** Makes a rule. Errors: `not_found`, `forbidden`, `name_taken`, `invalid` for an unknown type or folder or a broken template. */
async function createRule(
  call: Call,
  { repositoryId: ref, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<AutoPackageRule>> {
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, ref)
    requirePermission(call, 'admin.repositories.update', { repositoryId })
    const id = call.environment.ids.next('RULE')
    const after = { id, repositoryId, ...given, createdDate: call.now, updatedDate: call.now }
    await requireSound(call.store, after)
    return records.serialize(await records.put(call, { before: null, after }))
  })
}

/** Changes what is sent. Errors: as create; `precondition_failed`. */
async function updateRule(
  call: Call,
  { id, ...patch }: ParsedOf<Group['update']>,
): Promise<Serialized<AutoPackageRule>> {
  return call.write(async (call) => {
    const before = await changeableRule(call, id)
    const after = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    await requireSound(call.store, after)
    return records.serialize(await records.put(call, { before, after }))
  })
}

/** Deletes a rule: saves go to main again. Errors: `not_found`, `forbidden`, `precondition_failed`. */
async function deleteRule(call: Call, { id }: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.write(async (call) => records.remove(call, await changeableRule(call, id)))
}

/** A rule of a repository whose packages the caller may see; null when there is none. */
export async function visibleRule(call: Call, id: string): Promise<Stored<'autoPackageRule'> | null> {
  const found = await call.store.records.get('autoPackageRule', id)
  if (!found) return null
  const { repositoryId } = found
  return mayDo(call.identity.permissions, 'packages.view', { repositoryId }) ? found : null
}

/** Errors: `not_found`; `precondition_failed` when If-Match names another revision. */
async function findRule(call: Call, id: string): Promise<Stored<'autoPackageRule'>> {
  return records.matched(call, await visibleRule(call, id), id)
}

async function changeableRule(call: Call, id: string): Promise<Stored<'autoPackageRule'>> {
  const rule = await findRule(call, id)
  requirePermission(call, 'admin.repositories.update', { repositoryId: rule.repositoryId })
  return rule
}

/** Errors: `invalid` naming each type and folder that is not there; for a template that cannot be read. */
async function requireSound({ records, entities }: StoreReader, rule: AutoPackageRule): Promise<void> {
  const issues = []
  for (const [index, name] of rule.types.entries())
    if (!(await records.find('type', `name:${name}`)))
      issues.push({ path: `types.${index}`, message: `there is no content type "${name}"` })
  const branch = { repositoryId: rule.repositoryId, packageId: null }
  for (const [index, id] of rule.folders.entries()) {
    const folder = await entities.get(branch, 'folder', id)
    if (!folder || folder.deletedDate !== null)
      issues.push({ path: `folders.${index}`, message: `there is no folder "${id}"` })
  }
  if (issues.length > 0) throw invalid(issues)
  await requireTemplate(rule.packageNameTemplate)
}

export { createRule as create, deleteRule as delete, getRule as get, listRules as list, updateRule as update }

/** Bounds of a render (DESIGN "Repositories and content types"). */
const bounds = { parseLimit: 1000, renderLimit: 50, memoryLimit: 100_000 }

/** What a template of a name sees. */
interface NameScope {
  readonly item: Readonly<Record<string, unknown>>
  readonly rule: Pick<AutoPackageRule, 'name'>
  /** YYYY-MM-DD, UTC. */
  readonly date: string
}

/** Errors: `invalid` naming the template when it cannot be read. */
async function requireTemplate(template: string | null): Promise<void> {
  if (template === null) return
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    engine.parse(template)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([{ path: 'packageNameTemplate', message: `cannot be read: ${why}` }])
  }
}

/** The name that a template gives, with a space for what a name cannot hold. Errors: `invalid` when nothing is left of it. */
export async function nameFrom(template: string, scope: NameScope): Promise<string> {
  const text = await rendered(template, scope)
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .replace(/^[^\p{L}\p{N}]+|[ ]+$/gu, '')
  return checkedName(plain, "the rule's template gives no name")
}

/** Errors: `invalid` naming the rule when its template fails on this item. */
async function rendered(template: string, scope: NameScope): Promise<string> {
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    return await renderTemplate(engine, template, scope)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([{ path: 'ruleId', message: `the rule's template fails, give newPackageName: ${why}` }])
  }
}

/** A name as a new package may have it. Errors: `invalid` naming `newPackageName`. */
export function checkedName(name: string, otherwise?: string): string {
  const parsed = parseAs(NewPackageName, name)
  if ('value' in parsed) return parsed.value
  const message = otherwise ?? parsed.issues[0]?.message ?? 'is not a name'
  throw invalid([{ path: 'newPackageName', message }])
}
