import type { Contract, OutputOf, Page, ParsedOf, Section, Site } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Answer, Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Filter, Reader } from '../../ports/index.ts'
import { openStructure } from '../../content/structure/find.ts'
import { standingIn, atTop } from '../../content/structure/tree.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { listByName } from '../../content/structure/reads.ts'
import { findInSite, openSite } from './find.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'

/** The sites that the caller may see, by name. Errors: `not_found`, `invalid` for a cursor of another list. */
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

/** Sites are kept under their own ids as types: who holds the key on some sees those. */
function readerOfSites({ identity: { permissions } }: Call, repositoryId: string): Reader {
  if (mayDo(permissions, 'sites.view', { repositoryId })) return { types: 'all', roles: 'all' }
  const sites = [...permissions.sites].filter(([, keys]) => keys.has('sites.view'))
  return { types: sites.map(([id]) => id), roles: 'all' }
}

/** A site. Errors: `not_found`, `forbidden`. */
export async function getSite(
  call: Call,
  input: ParsedOf<Contract['sites']['get']>,
): Promise<Serialized<Site>> {
  const { scope, site } = await openSite(call, input, 'read')
  return serializeOne(call, scope.branch, { rules: siteRules, head: site })
}

/** The sections of a site by name, those in one when asked for. Errors: `not_found`, `forbidden`, `invalid` for a cursor of another list. */
export async function listSections(
  call: Call,
  { parentId, ...input }: ParsedOf<Contract['sections']['list']>,
): Promise<Answer<OutputOf<Contract['sections']['list']>>> {
  const { scope, site } = await openSite(call, input, 'read')
  const within = parentId === undefined ? [] : [parentId === 'none' ? atTop : standingIn([parentId])]
  const filter: Filter = { all: [ofSite(site.id), ...within] }
  return listByName(call, scope, { rules: sectionRules, input, filter })
}

/** A section. Errors: `not_found`, `forbidden`. */
export async function getSection(
  call: Call,
  { id, ...ref }: ParsedOf<Contract['sections']['get']>,
): Promise<Serialized<Section>> {
  const opened = await openSite(call, ref, 'read')
  const head = await findInSite(call, opened, { rules: sectionRules, id })
  return serializeOne(call, opened.scope.branch, { rules: sectionRules, head })
}

/** The pages of a site by name, those in one section when asked for. Errors: `not_found`, `forbidden`, `invalid` for a cursor of another list. */
export async function listPages(
  call: Call,
  { sectionId, ...input }: ParsedOf<Contract['pages']['list']>,
): Promise<Answer<OutputOf<Contract['pages']['list']>>> {
  const { scope, site } = await openSite(call, input, 'read')
  const within = sectionId === undefined ? [] : [ofSection(sectionId)]
  const filter: Filter = { all: [ofSite(site.id), ...within] }
  return listByName(call, scope, { rules: pageRules, input, filter })
}

/** A page. Errors: `not_found`, `forbidden`. */
export async function getPage(
  call: Call,
  { id, ...ref }: ParsedOf<Contract['pages']['get']>,
): Promise<Serialized<Page>> {
  const opened = await openSite(call, ref, 'read')
  const head = await findInSite(call, opened, { rules: pageRules, id })
  return serializeOne(call, opened.scope.branch, { rules: pageRules, head })
}

/** What belongs to a site. */
export function ofSite(siteId: string): Filter {
  return { field: { path: 'siteId', list: false }, op: 'eq', value: siteId }
}

/** The pages of a section. */
export function ofSection(sectionId: string): Filter {
  return { field: { path: 'sectionId', list: false }, op: 'eq', value: sectionId }
}
