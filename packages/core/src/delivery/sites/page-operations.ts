import type { Contract, OutputOf, Page, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { findItem } from '../../content/items/find.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { contentOf } from '../../content/structure/content.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { deleteStructure, saveStructure } from '../../content/structure/save.ts'
import { findToChange, membersOf, pathPartOf, storedMembers, type SiteTarget } from './find.ts'
import { pageRules as rules } from './kinds.ts'
import { requireKnownLocales } from './site-locales.ts'

export { createPage as create, deletePage as delete, movePage as move, updatePage as update }
export { getPage as get, listPages as list } from './reads.ts'

type Group = Contract['pages']

/**
 * Creates a page. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` for an unknown section
 * or item, `invalid_state`.
 */
async function createPage(
  call: WriteCall,
  input: ParsedOf<Group['create']>,
  { scope, site }: SiteTarget,
): Promise<Serialized<Page>> {
  const slug = await pathPartOf(input.slug, input.name)
  requireKnownLocales(scope.repository, input)
  const content = { ...storedMembers(input), slug, siteId: site.id, parentId: null }
  await requireItem(call, scope, input.itemId)
  const head = await saveStructure(call, { rules, scope, previous: null, content })
  return serializeOne(call, scope.branch, { rules, head })
}

/**
 * Changes the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `slug_taken`, `invalid`, `invalid_state`.
 */
function updatePage(
  call: WriteCall,
  input: ParsedOf<Group['update']>,
  target: SiteTarget,
): Promise<Serialized<Page>> {
  return changePage(call, input, target)
}

/**
 * Moves a page to a section of its site. Errors: those of `updatePage`; `invalid` for an unknown
 * section.
 */
function movePage(
  call: WriteCall,
  input: ParsedOf<Group['move']>,
  target: SiteTarget,
): Promise<Serialized<Page>> {
  return changePage(call, input, target)
}

/**
 * Soft-deletes a page. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`.
 */
async function deletePage(
  call: WriteCall,
  { id, dryRun }: ParsedOf<Group['delete']>,
  target: SiteTarget,
): Promise<OutputOf<Group['delete']>> {
  const { scope } = target
  const previous = await findToChange(call, target, { rules, id })
  requireOpen(scope.package)
  const deleted = await serializeOne(call, scope.branch, { rules, head: previous })
  await deleteStructure(call, { rules, scope, previous })
  return dryRun === true ? { deleted: deleted.value() } : undefined
}

async function changePage(
  call: WriteCall,
  input: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
  target: SiteTarget,
): Promise<Serialized<Page>> {
  const { scope } = target
  const previous = await findToChange(call, target, { rules, id: input.id })
  if ('itemId' in input) await requireItem(call, scope, input.itemId ?? null)
  if ('locales' in input) requireKnownLocales(scope.repository, input, contentOf(previous))
  const content = { ...contentOf(previous), ...sentMembers(membersOf(input)) }
  const head = await saveStructure(call, { rules, scope, previous, content })
  return serializeOne(call, scope.branch, { rules, head })
}

/** Errors: `invalid` for an item that does not exist or that the caller may not read. */
async function requireItem(call: Call, scope: Scope, itemId: string | null): Promise<void> {
  if (itemId === null) return
  const absent = () => {
    throw invalid([{ path: 'itemId', message: `there is no item "${itemId}"` }])
  }
  await findItem(call, scope, itemId).catch(whenAbsent(absent))
}
