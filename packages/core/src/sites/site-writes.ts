import type { Contract, ParsedOf, Site } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { requireHeadMatch } from '../call/head-tag.ts'
import { sentMembers } from '../call/records.ts'
import { whenAbsent } from '../call/when-absent.ts'
import { contentOf, type StructureContent } from '../structure/content.ts'
import { openStructure } from '../structure/find.ts'
import { presentOne } from '../structure/present.ts'
import { saveStructure } from '../structure/save.ts'
import { findInSite, openSite, requireFreeAddress } from './find.ts'
import { sectionRules, siteRules as rules } from './kinds.ts'
import { defaultTemplates } from './render/default-templates.ts'

type Group = Contract['sites']

/** Creates a site. Errors: `not_found` for the repository or package, `forbidden`, `slug_taken`, `invalid` for a layout that there is not, `invalid_state`. */
export function createSite(
  call: Call,
  { configId, packageName, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<Site>> {
  const { templates = defaultTemplates, ...others } = said
  const { layoutTemplate = Object.hasOwn(templates, 'layout') ? 'layout' : null } = said
  const content = { ...others, templates, layoutTemplate, homeSectionId: null, parentId: null }
  requireLayout(content)
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await openStructure(inside, { configId, packageName }, [rules.keys.read, rules.keys.create])
    await requireFreeAddress(inside, null, content.slug)
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `slug_taken`, `invalid`, `invalid_state`. */
export function updateSite(
  call: Call,
  { configId, packageName, siteId, ...patch }: ParsedOf<Group['update']>,
): Promise<Presented<Site>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const opened = await openSite(inside, { configId, packageName, siteId }, 'update')
    const { place, site: previous } = opened
    requireHeadMatch(inside, previous)
    const content: StructureContent = { ...contentOf(previous), ...sentMembers(patch) }
    requireLayout(content)
    if (patch.slug !== undefined) await requireFreeAddress(inside, siteId, patch.slug)
    if (patch.homeSectionId) await requireSection(inside, opened, patch.homeSectionId)
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Errors: `invalid` for a layout that is none of the templates. */
function requireLayout({ layoutTemplate, templates }: StructureContent): void {
  if (typeof layoutTemplate !== 'string' || Object.hasOwn(Object(templates), layoutTemplate)) return
  throw invalid([{ path: 'layoutTemplate', message: `there is no template "${layoutTemplate}"` }])
}

/** Errors: `invalid` for a home section that is none of the site. */
async function requireSection(
  call: Call,
  opened: Parameters<typeof findInSite>[1],
  id: string,
): Promise<void> {
  const absent = () => {
    throw invalid([{ path: 'homeSectionId', message: `there is no section "${id}"` }])
  }
  await findInSite(call, opened, { rules: sectionRules, id }).catch(whenAbsent(absent))
}
