import {
  limits,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type Publication,
} from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { cacheTag } from '../../engine/cache-tags/tags.ts'
import { entityEvent } from '../../engine/journal.ts'
import { newHead } from '../../content/kinds/heads.ts'
import type { Entity, EntityReader, Branch, StoredJson, StoredBlob, Transaction } from '../../ports/index.ts'
import { childrenOf } from '../../content/structure/tree.ts'
import { contentOf, memberOf } from '../../content/structure/content.ts'
import { requireFreeAddress, type SiteTarget } from './find.ts'
import { blobsOf, changedAddresses, type Manifest } from './publication/manifest.ts'

type Sites = Contract['sites']

/** A publication as it is stored. Which one is active is stored with the site. */
export interface StoredPublication extends Omit<Publication, 'isActive'> {
  readonly manifest: StoredBlob
  /** The slug of the site when it was published. */
  readonly slug: string
}

/** A publication to store. */
export interface NewPublication extends Pick<Publication, 'pages' | 'rendered' | 'comment'>, SiteTarget {
  readonly manifest: Manifest
  readonly stored: StoredBlob
  /** The publication that was active when this one was made, with its manifest if it could be read. */
  readonly replaced: { readonly publicationId: string; readonly manifest: Manifest | null } | null
}

/**
 * Stores a publication, makes it the active one, and purges the oldest ones beyond the limit.
 * Errors: `slug_taken` when another site is published at its slug.
 */
export async function activateNew(call: WriteCall, made: NewPublication): Promise<StoredPublication> {
  const { scope, site } = made
  const before = await storedPublications(call.store.entities, scope.branch, site.id)
  const publication = publicationOf(call, made, (before[0]?.number ?? 0) + 1)
  await call.store.entities.put(entityOf(call, made, publication), 0)
  call.purgeTags(site.repositoryId, await outdatedTags(call, made, publication))
  await activate(call, publication)
  await call.record(entityEvent(call, 'SITE_PUBLISHED', eventOf(site, publication)))
  // Only the newest publications are retained. The active one is the newest.
  for (const { id } of [publication, ...before].slice(limits.publications))
    await call.store.entities.purge(scope.branch, { kind: 'publication', id })
  return publication
}

/**
 * The tags of what a new publication changes: of the changed addresses, if it replaces the
 * publication that it was compared with at the same address; otherwise of the whole site.
 */
async function outdatedTags(
  { store }: WriteCall,
  { site, manifest, replaced }: NewPublication,
  { slug }: StoredPublication,
): Promise<readonly string[]> {
  const served = await store.records.get('publishedSite', site.id)
  if (!served) return []
  const isComparable = served.publicationId === replaced?.publicationId && served.slug === slug
  const before = isComparable ? replaced.manifest : null
  if (!before) return [cacheTag.site(site.id)]
  const changed = changedAddresses(before, manifest)
  // So many tags would be purged as the whole repository.
  if (changed.length > limits.purgedTags / 2) return [cacheTag.site(site.id)]
  return changed.map((address) => cacheTag.address(site.id, address))
}

function eventOf(site: Entity, { id, number }: StoredPublication) {
  return { entity: site, status: null, details: { publicationId: id, number } }
}

function publicationOf(
  call: Call,
  { site, manifest, stored, pages, rendered, comment }: NewPublication,
  number: number,
): StoredPublication {
  const sizes = [...manifest.files.values()].map(({ size }) => size)
  return {
    id: call.environment.ids.next('PUBL'),
    repositoryId: site.repositoryId,
    siteId: site.id,
    slug: memberOf(contentOf(site), 'slug') ?? '',
    number,
    pages,
    rendered,
    files: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    redirects: manifest.redirects.size,
    comment,
    manifest: stored,
    createdDate: call.now,
    createdByUser: call.identity.ref,
  }
}

function entityOf(
  call: Call,
  { scope, site, manifest, stored }: NewPublication,
  publication: StoredPublication,
) {
  const { id, number } = publication
  return {
    ...newHead(call, scope, { kind: 'publication', id }),
    type: site.id,
    name: String(number),
    slug: null,
    parentId: site.id,
    roles: { read: [], write: [], delete: [] },
    body: {},
    version: 1,
    revision: 1,
    json: JSON.stringify(publication),
    values: [],
    edges: [],
    search: null,
    blobs: [stored.hash, ...blobsOf(manifest)],
  }
}

async function activate(
  call: WriteCall,
  { id: publicationId, siteId: id, repositoryId, slug, manifest }: StoredPublication,
): Promise<void> {
  await requireFreeAddress(call, id, slug)
  const served = await call.store.records.get('publishedSite', id)
  await call.store.records.put(
    'publishedSite',
    { id, repositoryId, slug, publicationId, manifest },
    served?.revision ?? 0,
  )
}

/** The publications of a site, newest first. */
export async function storedPublications(
  entities: EntityReader,
  branch: Branch,
  siteId: string,
): Promise<StoredPublication[]> {
  const { entities: heads } = await entities.list(branch, {
    kind: 'publication',
    reader: { types: 'all', roles: 'all' },
    filter: childrenOf([siteId]),
    archived: true,
    sort: [],
    limit: limits.pageMost,
    count: false,
  })
  return heads.map(parsePublication).toSorted((a, b) => b.number - a.number)
}

function parsePublication({ json }: StoredJson): StoredPublication {
  const stored: StoredPublication = JSON.parse(json)
  return stored
}

/** Purges all publications of a site, which is no longer served then. */
export async function purgePublications(store: Transaction, branch: Branch, siteId: string): Promise<void> {
  const active = await store.records.get('publishedSite', siteId)
  if (active) await store.records.delete('publishedSite', siteId, active.revision)
  for (const { id } of await storedPublications(store.entities, branch, siteId))
    await store.entities.purge(branch, { kind: 'publication', id })
}

/** Lists the publications of a site, newest first. Errors: `not_found`, `forbidden`. */
export async function listPublications(
  call: Call,
  _input: ParsedOf<Sites['publications']>,
  { scope, site }: SiteTarget,
): Promise<OutputOf<Sites['publications']>> {
  const active = await call.store.records.get('publishedSite', site.id)
  const stored = await storedPublications(call.store.entities, scope.branch, site.id)
  const items = stored.map((publication) => serializePublication(publication, active?.publicationId))
  return { count: items.length, items }
}

/**
 * Makes an earlier publication the active one, at the site's current address. Errors: `not_found`,
 * `forbidden`.
 */
export async function rollback(
  call: WriteCall,
  { id }: ParsedOf<Sites['rollback']>,
  { scope, site }: SiteTarget,
): Promise<Publication> {
  const publication = await findPublication(call, { scope, site }, id)
  // Links are relative, so it can be served at another address than before.
  const served = await call.store.records.get('publishedSite', site.id)
  if (served && served.manifest.hash !== publication.manifest.hash)
    call.purgeTags(site.repositoryId, [cacheTag.site(site.id)])
  await activate(call, { ...publication, slug: served?.slug ?? publication.slug })
  await call.record(entityEvent(call, 'SITE_ROLLED_BACK', eventOf(site, publication)))
  return serializePublication(publication, id)
}

/** Finds a publication of a site. Errors: `not_found`. */
export async function findPublication(
  call: Call,
  { scope, site }: SiteTarget,
  id: string,
): Promise<StoredPublication> {
  const head = await call.store.entities.get(scope.branch, 'publication', id)
  if (head?.parentId === site.id) return parsePublication(head)
  throw new QuireError('not_found', 'This site has no such publication.')
}

function serializePublication(
  { manifest: _manifest, slug: _slug, ...publication }: StoredPublication,
  activeId: string | undefined,
): Publication {
  return { ...publication, isActive: publication.id === activeId }
}
