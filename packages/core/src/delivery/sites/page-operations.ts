import type { Contract, OutputOf, Page, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { findItem } from '../../content/items/find.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { contentOf } from '../../content/structure/content.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { deleteStructure, saveStructure } from '../../content/structure/save.ts'
import { openInSite, openSite, pathPartOf } from './find.ts'
import { pageRules as rules } from './kinds.ts'

export { createPage as create, deletePage as delete, movePage as move, updatePage as update }
export { getPage as get, listPages as list } from './reads.ts'

type Group = Contract['pages']

/**
 * Creates a page. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` for an unknown section
 * or item, `invalid_state`.
 */
async function createPage(
  call: Call,
  { configId, packageName, siteId, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<Page>> {
  const slug = await pathPartOf(given.slug, given.name)
  const content = { ...given, slug, siteId, parentId: null }
  return call.write(async (call) => {
    const { scope } = await openSite(call, { configId, packageName, siteId }, 'update')
    await requireItem(call, scope, given.itemId)
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/**
 * Changes the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `slug_taken`, `invalid`, `invalid_state`.
 */
function updatePage(call: Call, input: ParsedOf<Group['update']>): Promise<Serialized<Page>> {
  return changePage(call, input)
}

/**
 * Moves a page to a section of its site. Errors: those of `updatePage`; `invalid` for an unknown
 * section.
 */
function movePage(call: Call, input: ParsedOf<Group['move']>): Promise<Serialized<Page>> {
  return changePage(call, input)
}

/**
 * Soft-deletes a page. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`.
 */
function deletePage(
  call: Call,
  { dryRun, ...ref }: ParsedOf<Group['delete']>,
): Promise<OutputOf<Group['delete']>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openInSite(call, ref, rules)
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules, head: previous })
    await deleteStructure(call, { rules, scope, previous })
    return dryRun === true ? { deleted: deleted.value() } : undefined
  })
}

function changePage(
  call: Call,
  { configId, packageName, siteId, id, ...patch }: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
): Promise<Serialized<Page>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openInSite(call, { configId, packageName, siteId, id }, rules)
    if ('itemId' in patch) await requireItem(call, scope, patch.itemId ?? null)
    const content = { ...contentOf(previous), ...sentMembers(patch) }
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Errors: `invalid` for an item that does not exist or that the caller may not read. */
async function requireItem(call: Call, scope: Scope, itemId: string | null): Promise<void> {
  if (itemId === null) return
  const absent = () => {
    throw invalid([{ path: 'itemId', message: `there is no item "${itemId}"` }])
  }
  await findItem(call, scope, itemId).catch(whenAbsent(absent))
}
