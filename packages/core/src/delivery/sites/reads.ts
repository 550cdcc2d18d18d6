import type { Contract, OutputOf, Page, ParsedOf, Section, Site } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Answer, Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Filter, Reader } from '../../ports/index.ts'
import { noSuch, openStructure } from '../../content/structure/find.ts'
import type { StructureKind, StructureShapes } from '../../content/structure/kind.ts'
import { childrenOf, atTop } from '../../content/structure/tree.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { listByName, serializeAt } from '../../content/structure/reads.ts'
import { findInSite, type SiteTarget } from './find.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'

/**
 * Lists the sites that the caller may see, by name. Errors: `not_found`, `invalid` for a cursor of
 * another list.
 */
export async function listSites(
  call: Call,
  input: ParsedOf<Contract['sites']['list']>,
): Promise<Answer<OutputOf<Contract['sites']['list']>>> {
  const scope = await openStructure(call, input, [])
  return listByName(call, scope, {
    rules: siteRules,
    input,
    reader: readerOfSites(call, scope.repository.id),
  })
}

/**
 * A site's type is its own id, so that callers with a permission on certain sites read just those.
 */
function readerOfSites({ identity: { permissions } }: Call, repositoryId: string): Reader {
  if (mayDo(permissions, 'sites.view', { repositoryId })) return { types: 'all', roles: 'all' }
  const sites = [...permissions.sites].filter(([, keys]) => keys.has('sites.view'))
  return { types: sites.map(([id]) => id), roles: 'all' }
}

/** Returns a site. Errors: `not_found`, `forbidden`. */
export async function getSite(
  call: Call,
  { at }: ParsedOf<Contract['sites']['get']>,
  { scope, site }: SiteTarget,
): Promise<Serialized<Site>> {
  if (at !== undefined && at !== call.now)
    return serializeAt(call, scope, { rules: siteRules, id: site.id, at })
  return serializeOne(call, scope.branch, { rules: siteRules, head: site })
}

/**
 * Lists the sections of a site by name, or only those in one section. Errors: `not_found`,
 * `forbidden`, `invalid` for a cursor of another list.
 */
export async function listSections(
  call: Call,
  { parentId, ...input }: ParsedOf<Contract['sections']['list']>,
  { scope, site }: SiteTarget,
): Promise<Answer<OutputOf<Contract['sections']['list']>>> {
  const within = parentId === undefined ? [] : [parentId === 'none' ? atTop : childrenOf([parentId])]
  const filter: Filter = { all: [ofSite(site.id), ...within] }
  return listByName(call, scope, { rules: sectionRules, input, filter })
}

/** Returns a section. Errors: `not_found`, `forbidden`. */
export async function getSection(
  call: Call,
  { id, at }: ParsedOf<Contract['sections']['get']>,
  target: SiteTarget,
): Promise<Serialized<Section>> {
  if (at !== undefined && at !== call.now) return inSiteAt(call, target, { rules: sectionRules, id, at })
  const head = await findInSite(call, target, { rules: sectionRules, id })
  return serializeOne(call, target.scope.branch, { rules: sectionRules, head })
}

/**
 * Lists the pages of a site by name, or only those in one section. Errors: `not_found`,
 * `forbidden`, `invalid` for a cursor of another list.
 */
export async function listPages(
  call: Call,
  { sectionId, ...input }: ParsedOf<Contract['pages']['list']>,
  { scope, site }: SiteTarget,
): Promise<Answer<OutputOf<Contract['pages']['list']>>> {
  const within = sectionId === undefined ? [] : [ofSection(sectionId)]
  const filter: Filter = { all: [ofSite(site.id), ...within] }
  return listByName(call, scope, { rules: pageRules, input, filter })
}

/** Returns a page. Errors: `not_found`, `forbidden`. */
export async function getPage(
  call: Call,
  { id, at }: ParsedOf<Contract['pages']['get']>,
  target: SiteTarget,
): Promise<Serialized<Page>> {
  if (at !== undefined && at !== call.now) return inSiteAt(call, target, { rules: pageRules, id, at })
  const head = await findInSite(call, target, { rules: pageRules, id })
  return serializeOne(call, target.scope.branch, { rules: pageRules, head })
}

/** A section or page of a site as it was or will be. Errors: `not_found`, `merge_conflict`. */
async function inSiteAt<K extends 'section' | 'page'>(
  call: Call,
  { scope, site }: SiteTarget,
  past: { rules: StructureKind<K>; id: string; at: number },
): Promise<Serialized<StructureShapes[K]>> {
  const found = await serializeAt(call, scope, past)
  if (found.value().siteId !== site.id) throw noSuch(past.rules)
  return found
}

/** Filters the sections or pages of a site. */
export function ofSite(siteId: string): Filter {
  return { field: { path: 'siteId', list: false }, op: 'eq', value: siteId }
}

/** Filters the pages directly in a section. */
export function ofSection(sectionId: string): Filter {
  return { field: { path: 'sectionId', list: false }, op: 'eq', value: sectionId }
}
