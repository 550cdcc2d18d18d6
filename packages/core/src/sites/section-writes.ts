import type { Contract, ParsedOf, Section } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { sentMembers } from '../call/records.ts'
import { whenAbsent } from '../call/when-absent.ts'
import { contentOf } from '../structure/content.ts'
import { presentOne } from '../structure/present.ts'
import { saveStructure } from '../structure/save.ts'
import { findInSite, openInSite, openSite, type OpenedSite } from './find.ts'
import { pageRules, sectionRules as rules } from './kinds.ts'
import { pathPartOf } from './slug.ts'

type Group = Contract['sections']

/** Creates a section. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` when it cannot stand there, `invalid_state`. */
export async function createSection(
  call: Call,
  { configId, packageName, siteId, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<Section>> {
  const slug = await pathPartOf(said.slug, said.name)
  const content = { ...said, slug, siteId, rootPageId: null }
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place } = await openSite(inside, { configId, packageName, siteId }, 'update')
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `slug_taken`, `invalid`, `invalid_state`. */
export function updateSection(call: Call, input: ParsedOf<Group['update']>): Promise<Presented<Section>> {
  return changeSection(call, input)
}

/** Moves a section with all that stands in it. Errors: as an update; `invalid` when it cannot stand there. */
export function moveSection(call: Call, input: ParsedOf<Group['move']>): Promise<Presented<Section>> {
  return changeSection(call, input)
}

function changeSection(
  call: Call,
  { configId, packageName, siteId, id, ...patch }: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
): Promise<Presented<Section>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const opened = await openInSite(inside, { configId, packageName, siteId, id }, rules)
    const { place, head: previous } = opened
    if ('rootPageId' in patch && patch.rootPageId)
      await requirePage(inside, opened, { id, pageId: patch.rootPageId })
    const content = { ...contentOf(previous), ...sentMembers(patch) }
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Errors: `invalid` for a root page that does not stand in the section. */
async function requirePage(
  call: Call,
  opened: OpenedSite,
  { id, pageId }: { id: string; pageId: string },
): Promise<void> {
  const page = await findInSite(call, opened, { rules: pageRules, id: pageId }).catch(whenAbsent(() => null))
  if (page && contentOf(page)['sectionId'] === id) return
  throw invalid([{ path: 'rootPageId', message: `there is no page "${pageId}" in this section` }])
}
