import type { Contract, ParsedOf, Site } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { requireHeadMatch } from '../../engine/head-tag.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import { whenAbsent } from '../../engine/when-absent.ts'
import { contentOf, type StructureContent } from '../../content/structure/content.ts'
import { openStructure } from '../../content/structure/find.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { saveStructure } from '../../content/structure/save.ts'
import { findInSite, openSite, requireFreeAddress } from './find.ts'
import { sectionRules, siteRules as rules } from './kinds.ts'
import { defaultTemplates } from './render/default-templates.ts'

type Group = Contract['sites']

/** Creates a site. Errors: `not_found` for the repository or package, `forbidden`, `slug_taken`, `invalid` for a layout that there is not, `invalid_state`. */
export function createSite(
  call: Call,
  { configId, packageName, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<Site>> {
  const { templates = defaultTemplates, ...others } = given
  const { layoutTemplate = Object.hasOwn(templates, 'layout') ? 'layout' : null } = given
  const content = { ...others, templates, layoutTemplate, homeSectionId: null, parentId: null }
  requireLayout(content)
  return call.write(async (call) => {
    const scope = await openStructure(call, { configId, packageName }, [rules.keys.read, rules.keys.create])
    await requireFreeAddress(call, null, content.slug)
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `slug_taken`, `invalid`, `invalid_state`. */
export function updateSite(
  call: Call,
  { configId, packageName, siteId, ...patch }: ParsedOf<Group['update']>,
): Promise<Serialized<Site>> {
  return call.write(async (call) => {
    const opened = await openSite(call, { configId, packageName, siteId }, 'update')
    const { scope, site: previous } = opened
    requireHeadMatch(call, previous)
    const content: StructureContent = { ...contentOf(previous), ...sentMembers(patch) }
    requireLayout(content)
    if (patch.slug !== undefined) await requireFreeAddress(call, siteId, patch.slug)
    if (patch.homeSectionId) await requireSection(call, opened, patch.homeSectionId)
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
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
