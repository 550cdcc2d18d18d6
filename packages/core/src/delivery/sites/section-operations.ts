import type { Contract, ParsedOf, Section } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { contentOf } from '../../content/structure/content.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { saveStructure } from '../../content/structure/save.ts'
import { findInSite, openInSite, openSite, type OpenedSite, pathPartOf } from './find.ts'
import { pageRules, sectionRules as rules } from './kinds.ts'

export { createSection as create, moveSection as move, updateSection as update }
export { deleteSection as delete } from './delete.ts'
export { getSection as get, listSections as list } from './reads.ts'

type Group = Contract['sections']

/**
 * Creates a section. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` when it cannot be in
 * that parent, `invalid_state`.
 */
async function createSection(
  call: Call,
  { configId, packageName, siteId, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<Section>> {
  const slug = await pathPartOf(given.slug, given.name)
  const content = { ...given, slug, siteId, rootPageId: null }
  return call.write(async (call) => {
    const { scope } = await openSite(call, { configId, packageName, siteId }, 'update')
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/**
 * Changes the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `slug_taken`, `invalid`, `invalid_state`.
 */
function updateSection(call: Call, input: ParsedOf<Group['update']>): Promise<Serialized<Section>> {
  return changeSection(call, input)
}

/**
 * Moves a section with its contents. Errors: those of `updateSection`; `invalid` when it cannot be
 * in that parent.
 */
function moveSection(call: Call, input: ParsedOf<Group['move']>): Promise<Serialized<Section>> {
  return changeSection(call, input)
}

function changeSection(
  call: Call,
  { configId, packageName, siteId, id, ...patch }: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
): Promise<Serialized<Section>> {
  return call.write(async (call) => {
    const opened = await openInSite(call, { configId, packageName, siteId, id }, rules)
    const { scope, head: previous } = opened
    if ('rootPageId' in patch && patch.rootPageId)
      await requirePage(call, opened, { id, pageId: patch.rootPageId })
    const content = { ...contentOf(previous), ...sentMembers(patch) }
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Errors: `invalid` for a root page that is not in the section. */
async function requirePage(
  call: Call,
  opened: OpenedSite,
  { id, pageId }: { id: string; pageId: string },
): Promise<void> {
  const page = await findInSite(call, opened, { rules: pageRules, id: pageId }).catch(whenAbsent(() => null))
  if (page && contentOf(page)['sectionId'] === id) return
  throw invalid([{ path: 'rootPageId', message: `there is no page "${pageId}" in this section` }])
}
