import { QuireError, parseAs, PathPart } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/head-tag.ts'
import type { Scope, ScopeRef } from '../../engine/scope.ts'
import { contentOf } from '../../content/structure/content.ts'
import { findStructure, noSuch, openStructure } from '../../content/structure/find.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { siteRules } from './kinds.ts'
import { invalid } from '../../engine/check-input.ts'
import { slugify } from '../../content/items/slug.ts'
import type { Entity } from '../../ports/index.ts'

/** How an input names a site. */
interface SiteRef extends ScopeRef {
  readonly siteId: string
}

/** How an input names a section or page. */
interface InSiteRef extends SiteRef {
  readonly id: string
}

/** A live site, and where. */
export interface OpenedSite {
  readonly scope: Scope
  readonly site: Entity
}

/** A live site, for a caller who holds the keys on it. Errors: `not_found`, `forbidden`. */
export async function openSite(
  call: Call,
  ref: SiteRef,
  act: 'read' | 'update' | 'publish',
): Promise<OpenedSite> {
  const keys = { read: [], update: ['sites.update'], publish: ['sites.publish'] } as const
  const scope = await openStructure(call, ref, ['sites.view', ...keys[act]])
  return { scope, site: await findStructure(call, scope, { rules: siteRules, id: ref.siteId }) }
}

/** A live section or page of a site. Errors: `not_found`. */
export async function findInSite(
  call: Call,
  { scope, site }: OpenedSite,
  { rules, id }: { rules: StructureKind<'section' | 'page'>; id: string },
): Promise<Entity> {
  const head = await findStructure(call, scope, { rules, id })
  if (contentOf(head)['siteId'] !== site.id) throw noSuch(rules)
  return head
}

/** A live section or page that is to be changed, and where. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function openInSite(
  call: Call,
  { id, ...ref }: InSiteRef,
  rules: StructureKind<'section' | 'page'>,
): Promise<OpenedSite & { readonly head: Entity }> {
  const opened = await openSite(call, ref, 'update')
  const head = await findInSite(call, opened, { rules, id })
  requireHeadMatch(call, head)
  return { ...opened, head }
}

/** Errors: `slug_taken` for a slug under which another site is served. */
export async function requireFreeAddress(call: Call, siteId: string | null, slug: string): Promise<void> {
  const served = await call.store.records.find('publishedSite', `slug:${slug}`)
  if (!served || served.id === siteId) return
  throw new QuireError('slug_taken', `Another site is published at "${slug}": choose another slug.`, {
    details: { slug },
  })
}

/** What stands for something in addresses: what was sent, or what its name gives. Errors: `invalid` for a name that gives nothing, or none that can stand there. */
export async function pathPartOf(slug: string | undefined, name: string): Promise<string> {
  if (slug !== undefined) return slug
  const made = await slugify(name)
  if (made === '') throw invalid([{ path: 'slug', message: 'is required: the name gives none' }])
  const parsed = parseAs(PathPart, made)
  if (!('issues' in parsed)) return made
  throw invalid(
    parsed.issues.map(({ message }) => ({ path: 'slug', message: `is made of the name: ${message}` })),
  )
}
