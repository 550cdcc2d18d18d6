import {
  type AutoPackageRule,
  type Contract,
  type OutputOf,
  type ParsedOf,
  limits,
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

/** Lists the auto-package rules of a repository, by id. Errors: `not_found`, `forbidden`. */
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

/** Returns one rule. Errors: `not_found`. */
async function getRule(call: Call, { id }: ParsedOf<Group['get']>): Promise<Serialized<AutoPackageRule>> {
  return records.serialize(await findRule(call, id))
}

/**
 * Creates a rule. Errors: `not_found`, `forbidden`, `name_taken`, `invalid` for an unknown type or
 * folder or a broken template.
 */
async function createRule(
  call: Call,
  { repositoryId: ref, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<AutoPackageRule>> {
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, ref)
    requirePermission(call, 'admin.repositories.update', { repositoryId })
    const id = call.environment.ids.next('RULE')
    const after = { id, repositoryId, ...given, createdDate: call.now, updatedDate: call.now }
    await requireValid(call.store, after)
    return records.serialize(await records.put(call, { before: null, after }))
  })
}

/** Changes the members that are sent. Errors: those of `createRule`; `precondition_failed`. */
async function updateRule(
  call: Call,
  { id, ...patch }: ParsedOf<Group['update']>,
): Promise<Serialized<AutoPackageRule>> {
  return call.write(async (call) => {
    const before = await changeableRule(call, id)
    const after = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    await requireValid(call.store, after)
    return records.serialize(await records.put(call, { before, after }))
  })
}

/**
 * Deletes a rule. The saves it applied to go to main again. Errors: `not_found`, `forbidden`,
 * `precondition_failed`.
 */
async function deleteRule(call: Call, { id }: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.write(async (call) => records.remove(call, await changeableRule(call, id)))
}

/**
 * Finds a rule; null when it does not exist or the caller may not see the repository's packages.
 */
export async function findVisibleRule(call: Call, id: string): Promise<Stored<'autoPackageRule'> | null> {
  const found = await call.store.records.get('autoPackageRule', id)
  if (!found) return null
  const { repositoryId } = found
  return mayDo(call.identity.permissions, 'packages.view', { repositoryId }) ? found : null
}

/** Errors: `not_found`; `precondition_failed` when If-Match names another revision. */
async function findRule(call: Call, id: string): Promise<Stored<'autoPackageRule'>> {
  return records.matched(call, await findVisibleRule(call, id), id)
}

async function changeableRule(call: Call, id: string): Promise<Stored<'autoPackageRule'>> {
  const rule = await findRule(call, id)
  requirePermission(call, 'admin.repositories.update', { repositoryId: rule.repositoryId })
  return rule
}

/**
 * Errors: `invalid` naming each unknown type and folder, or the template when it cannot be parsed.
 */
async function requireValid({ records, entities }: StoreReader, rule: AutoPackageRule): Promise<void> {
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

/** Limits for rendering a name (DESIGN "Repositories and content types"). */
const bounds = { parseLimit: 1000, renderLimit: 50, memoryLimit: 100_000 }

/** The variables of a name template. */
interface NameScope {
  readonly item: Readonly<Record<string, unknown>>
  readonly rule: Pick<AutoPackageRule, 'name'>
  /** YYYY-MM-DD, UTC. */
  readonly date: string
}

/** Errors: `invalid` naming the template when it cannot be parsed. */
async function requireTemplate(template: string | null): Promise<void> {
  if (template === null) return
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    engine.parse(template)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([{ path: 'packageNameTemplate', message: `cannot be parsed: ${why}` }])
  }
}

/**
 * Renders a package name. Characters that a name cannot contain become spaces, and segments without
 * any other are left out.
 * Errors: `invalid` when no valid name is left.
 */
export async function nameFrom(template: string, scope: NameScope): Promise<string> {
  const text = await renderName(template, scope)
  const plain = text
    .split('/')
    .map(plainSegment)
    .filter((segment) => segment !== '')
    .join('/')
    .slice(0, limits.name)
    .replace(/[ /]+$/, '')
  return requireName(plain, "the rule's template produces no valid name")
}

function plainSegment(text: string): string {
  return text
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+|[ ]+$/gu, '')
}

/** Errors: `invalid` naming the rule when its template fails for this item. */
async function renderName(template: string, scope: NameScope): Promise<string> {
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    return await renderTemplate(engine, template, scope)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([
      { path: 'ruleId', message: `the rule's template fails for this item, so give newPackageName: ${why}` },
    ])
  }
}

/**
 * The parsed name of a new package. Errors: `invalid` naming `newPackageName`, with `message` if
 * given.
 */
export function requireName(name: string, message?: string): string {
  const parsed = parseAs(NewPackageName, name)
  if ('value' in parsed) return parsed.value
  const issue = message ?? parsed.issues[0]?.message ?? 'is not a valid name'
  throw invalid([{ path: 'newPackageName', message: issue }])
}
