import { QuireError, parseAs, PathPart } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import type { Scope, ScopeRef } from '../../engine/scope.ts'
import { contentOf } from '../../content/structure/content.ts'
import { findStructure, noSuch, openStructure } from '../../content/structure/find.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { siteRules } from './kinds.ts'
import { invalid } from '../../engine/check-input.ts'
import { slugify } from '../../content/items/slug.ts'
import type { Entity } from '../../ports/index.ts'

/** The input members that name a site. */
interface SiteRef extends ScopeRef {
  readonly siteId: string
}

/** The input members that name a section or page. */
interface InSiteRef extends SiteRef {
  readonly id: string
}

/** A live site with its scope. */
export interface OpenedSite {
  readonly scope: Scope
  readonly site: Entity
}

/**
 * Finds a live site and checks that the caller has the permission keys for the act. Errors:
 * `not_found`, `forbidden`.
 */
export async function openSite(
  call: Call,
  ref: SiteRef,
  act: 'read' | 'update' | 'publish',
): Promise<OpenedSite> {
  const keys = { read: [], update: ['sites.update'], publish: ['sites.publish'] } as const
  const scope = await openStructure(call, ref, ['sites.view', ...keys[act]])
  return { scope, site: await findStructure(call, scope, { rules: siteRules, id: ref.siteId }) }
}

/** Finds a live section or page of a site. Errors: `not_found`. */
export async function findInSite(
  call: Call,
  { scope, site }: OpenedSite,
  { rules, id }: { rules: StructureKind<'section' | 'page'>; id: string },
): Promise<Entity> {
  const head = await findStructure(call, scope, { rules, id })
  if (contentOf(head)['siteId'] !== site.id) throw noSuch(rules)
  return head
}

/**
 * Finds a live section or page to change, with its site. Errors: `not_found`, `forbidden`,
 * `precondition_failed`.
 */
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

/** Errors: `slug_taken` when another site is published at the slug. */
export async function requireFreeAddress(call: Call, siteId: string | null, slug: string): Promise<void> {
  const served = await call.store.records.find('publishedSite', `slug:${slug}`)
  if (!served || served.id === siteId) return
  throw new QuireError('slug_taken', `Another site is published at "${slug}": choose another slug.`, {
    details: { slug },
  })
}

/**
 * The given slug, or one made from the name. Errors: `invalid` when the name gives no slug or an
 * invalid one.
 */
export async function pathPartOf(slug: string | undefined, name: string): Promise<string> {
  if (slug !== undefined) return slug
  const made = await slugify(name)
  if (made === '')
    throw invalid([{ path: 'slug', message: 'is required, because no slug can be made from the name' }])
  const parsed = parseAs(PathPart, made)
  if (!('issues' in parsed)) return made
  throw invalid(
    parsed.issues.map(({ message }) => ({
      path: 'slug',
      message: `cannot be made from the name: ${message}`,
    })),
  )
}
