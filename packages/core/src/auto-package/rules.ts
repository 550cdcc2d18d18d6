import type { AutoPackageRule, Contract, OutputOf, ParsedOf } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { recordEvent } from '../call/journal.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord, presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import type { Stored, StoreReader } from '../ports/index.ts'
import { requireTemplate } from './package-name.ts'

type Group = Contract['autoPackageRules']

/** The rules of a repository, by id. Errors: `not_found`, `forbidden`. */
export async function listRules(
  call: Call,
  { repositoryId: ref, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, ref)
  requirePermission(call, 'packages.view', { repositoryId })
  const all = await call.store.records.list('autoPackageRule')
  const { items, ...rest } = pageOf(
    all.filter((rule) => rule.repositoryId === repositoryId),
    page,
  )
  return { ...rest, items: items.map(plainRecord) }
}

/** One rule. Errors: `not_found`. */
export async function getRule(
  call: Call,
  { id }: ParsedOf<Group['get']>,
): Promise<Presented<AutoPackageRule>> {
  return presentRecord<'autoPackageRule'>(await findRule(call, id))
}

/** Makes a rule. Errors: `not_found`, `forbidden`, `name_taken`, `invalid` for an unknown type or folder or a broken template. */
export async function createRule(
  call: Call,
  { repositoryId: ref, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<AutoPackageRule>> {
  return call.transaction(async (tx) => {
    const { id: repositoryId } = await findRepository(within(call, tx), ref)
    requirePermission(call, 'admin.repositories.update', { repositoryId })
    const id = call.environment.ids.next('RULE')
    const rule: AutoPackageRule = { id, repositoryId, ...said, createdDate: call.now, updatedDate: call.now }
    await requireSound(tx, rule)
    const stored = await tx.records.put('autoPackageRule', rule, 0)
    await tx.journal.record(recordEvent(call, 'AUTO_PACKAGE_RULE_CREATED', subject(stored)))
    return presentRecord<'autoPackageRule'>(stored)
  })
}

/** Changes what is sent. Errors: as create; `precondition_failed`. */
export async function updateRule(
  call: Call,
  { id, ...patch }: ParsedOf<Group['update']>,
): Promise<Presented<AutoPackageRule>> {
  return call.transaction(async (tx) => {
    const { revision, ...rule } = await changeableRule(within(call, tx), id)
    const changed: AutoPackageRule = { ...rule, ...sentMembers(patch), updatedDate: call.now }
    await requireSound(tx, changed)
    const stored = await tx.records.put('autoPackageRule', changed, revision)
    await tx.journal.record(recordEvent(call, 'AUTO_PACKAGE_RULE_UPDATED', subject(stored)))
    return presentRecord<'autoPackageRule'>(stored)
  })
}

/** Deletes a rule: saves go to main again. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function deleteRule(call: Call, { id }: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.transaction(async (tx) => {
    const rule = await changeableRule(within(call, tx), id)
    await tx.records.delete('autoPackageRule', id, rule.revision)
    await tx.journal.record(recordEvent(call, 'AUTO_PACKAGE_RULE_DELETED', subject(rule)))
    return undefined
  })
}

function subject({ id, repositoryId }: AutoPackageRule) {
  return { kind: 'autoPackageRule', id, repositoryId }
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
  return requireRecord<'autoPackageRule'>(call, await visibleRule(call, id), `auto-package rule "${id}"`)
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
  const line = { repositoryId: rule.repositoryId, packageId: null }
  for (const [index, id] of rule.folders.entries()) {
    const folder = await entities.get(line, 'folder', id)
    if (!folder || folder.deletedDate !== null)
      issues.push({ path: `folders.${index}`, message: `there is no folder "${id}"` })
  }
  if (issues.length > 0) throw invalid(issues)
  await requireTemplate(rule.packageNameTemplate)
}
