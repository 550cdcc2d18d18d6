import type { Contract, ParsedOf, Section } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { contentOf } from '../../content/structure/content.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { saveStructure } from '../../content/structure/save.ts'
import { findInSite, findToChange, membersOf, pathPartOf, storedMembers, type SiteTarget } from './find.ts'
import { pageRules, sectionRules as rules } from './kinds.ts'
import { requireKnownLocales } from './site-locales.ts'

export { createSection as create, moveSection as move, updateSection as update }
export { deleteSection as delete } from './delete.ts'
export { getSection as get, listSections as list } from './reads.ts'

type Group = Contract['sections']

/**
 * Creates a section. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` when it cannot be in
 * that parent, `invalid_state`.
 */
async function createSection(
  call: WriteCall,
  input: ParsedOf<Group['create']>,
  { scope, site }: SiteTarget,
): Promise<Serialized<Section>> {
  const slug = await pathPartOf(input.slug, input.name)
  requireKnownLocales(scope.repository, input)
  const content = { ...storedMembers(input), slug, siteId: site.id, rootPageId: null }
  const head = await saveStructure(call, { rules, scope, previous: null, content })
  return serializeOne(call, scope.branch, { rules, head })
}

/**
 * Changes the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `slug_taken`, `invalid`, `invalid_state`.
 */
function updateSection(
  call: WriteCall,
  input: ParsedOf<Group['update']>,
  target: SiteTarget,
): Promise<Serialized<Section>> {
  return changeSection(call, input, target)
}

/**
 * Moves a section with its contents. Errors: those of `updateSection`; `invalid` when it cannot be
 * in that parent.
 */
function moveSection(
  call: WriteCall,
  input: ParsedOf<Group['move']>,
  target: SiteTarget,
): Promise<Serialized<Section>> {
  return changeSection(call, input, target)
}

async function changeSection(
  call: WriteCall,
  input: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
  target: SiteTarget,
): Promise<Serialized<Section>> {
  const { scope } = target
  const { id } = input
  const previous = await findToChange(call, target, { rules, id })
  if ('rootPageId' in input && input.rootPageId)
    await requirePage(call, target, { id, pageId: input.rootPageId })
  if ('locales' in input) requireKnownLocales(scope.repository, input, contentOf(previous))
  const content = { ...contentOf(previous), ...sentMembers(membersOf(input)) }
  const head = await saveStructure(call, { rules, scope, previous, content })
  return serializeOne(call, scope.branch, { rules, head })
}

/** Errors: `invalid` for a root page that is not in the section. */
async function requirePage(
  call: Call,
  target: SiteTarget,
  { id, pageId }: { id: string; pageId: string },
): Promise<void> {
  const page = await findInSite(call, target, { rules: pageRules, id: pageId }).catch(whenAbsent(() => null))
  if (page && contentOf(page)['sectionId'] === id) return
  throw invalid([{ path: 'rootPageId', message: `there is no page "${pageId}" in this section` }])
}
