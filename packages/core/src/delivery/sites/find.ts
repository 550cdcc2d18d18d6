import { QuireError, parseAs, PathPart, type KeyPermission } from '@quire/contract'
import { requirePermission, type Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import { findScope, type Scope, type ScopeRef } from '../../engine/scope.ts'
import { contentOf } from '../../content/structure/content.ts'
import { findStructure, noSuch } from '../../content/structure/find.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { siteRules } from './kinds.ts'
import { invalid } from '../../engine/check-input.ts'
import { slugify } from '../../content/items/slug.ts'
import { sentMembers } from '../../engine/record-rules.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'

/** The input members that name a site. */
export interface SiteRef extends ScopeRef {
  readonly siteId: string
}

/** A live site that an operation is about, with its scope. */
export interface SiteTarget {
  readonly scope: Scope
  readonly site: Entity
}

/**
 * Finds a live site, for a caller who may view it and holds the key. Errors: `not_found`,
 * `forbidden`.
 */
export async function findSiteTarget(
  call: Call,
  ref: SiteRef,
  { key }: Pick<KeyPermission, 'key'>,
): Promise<SiteTarget> {
  const scope = await findScope(call, ref)
  const on = { ...scope.branch, siteId: ref.siteId }
  requirePermission(call, 'sites.view', on)
  requirePermission(call, key, on)
  return { scope, site: await findStructure(call, scope, { rules: siteRules, id: ref.siteId }) }
}

/** Finds a live section or page of a site. Errors: `not_found`. */
export async function findInSite(
  call: Call,
  { scope, site }: SiteTarget,
  { rules, id }: { rules: StructureKind<'section' | 'page'>; id: string },
): Promise<Entity> {
  const head = await findStructure(call, scope, { rules, id })
  if (contentOf(head)['siteId'] !== site.id) throw noSuch(rules)
  return head
}

type NamingMember = 'configId' | 'packageName' | 'siteId' | 'id'

/** The members of an input besides those that name what it is about. */
export function membersOf<I extends Partial<Record<NamingMember, unknown>>>(input: I): Omit<I, NamingMember> {
  const { configId: _configId, packageName: _packageName, siteId: _siteId, id: _id, ...members } = input
  return members
}

/** The members of a new section or page to store. */
export function storedMembers<I extends Partial<Record<NamingMember, unknown>>>(
  input: I,
): Omit<I, NamingMember | 'locales'> & JsonObject {
  // Parsed input is JSON.
  return sentMembers(membersOf(input)) as Omit<I, NamingMember | 'locales'> & JsonObject
}

/**
 * Finds a live section or page of a site to change. Errors: `not_found`, `precondition_failed`.
 */
export async function findToChange(
  call: Call,
  target: SiteTarget,
  part: { rules: StructureKind<'section' | 'page'>; id: string },
): Promise<Entity> {
  const head = await findInSite(call, target, part)
  requireHeadMatch(call, head)
  return head
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
