import {
  limits,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type Publication,
} from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { entityEvent } from '../call/journal.ts'
import { newHead } from '../lines/heads.ts'
import type { Entity, EntityReader, Line, PresentedEntity, StoredBlob, Transaction } from '../ports/index.ts'
import { standingIn } from '../structure/levels.ts'
import { contentOf, memberOf } from '../structure/content.ts'
import { openSite, requireFreeAddress, type OpenedSite } from './find.ts'
import { blobsOf, type Manifest } from './publication/manifest.ts'

type Sites = Contract['sites']

/** A publication as it is kept: whether it is the active one is the site's to say. */
export interface KeptPublication extends Omit<Publication, 'isActive'> {
  readonly manifest: StoredBlob
  /** The slug of the site when it was published. */
  readonly slug: string
}

/** What a publication that is to be kept is made of. */
export interface NewPublication extends Pick<Publication, 'pages' | 'rendered' | 'comment'>, OpenedSite {
  readonly manifest: Manifest
  readonly kept: StoredBlob
}

/** Keeps a publication and serves it from now on, in one transaction. Errors: `slug_taken` when another site is served at its address. */
export async function activateNew(
  call: Call,
  tx: Transaction,
  made: NewPublication,
): Promise<KeptPublication> {
  const { place, site } = made
  const before = await keptPublications(tx.entities, place.line, site.id)
  const publication = publicationOf(call, made, (before[0]?.number ?? 0) + 1)
  await tx.entities.put(entityOf(call, made, publication), 0)
  await activate(call, tx, publication)
  await tx.journal.record(entityEvent(call, 'SITE_PUBLISHED', eventOf(site, publication)))
  // What is older than the newest that are kept goes. The one that is served is the newest.
  for (const { id } of [publication, ...before].slice(limits.publications))
    await tx.entities.purge(place.line, { kind: 'publication', id })
  return publication
}

function eventOf(site: Entity, { id, number }: KeptPublication) {
  return { entity: site, status: null, details: { publicationId: id, number } }
}

function publicationOf(
  call: Call,
  { site, manifest, kept, pages, rendered, comment }: NewPublication,
  number: number,
): KeptPublication {
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
    manifest: kept,
    createdDate: call.now,
    createdByUser: call.identity.ref,
  }
}

function entityOf(call: Call, { place, site, manifest, kept }: NewPublication, publication: KeptPublication) {
  const { id, number } = publication
  return {
    ...newHead(call, place, { kind: 'publication', id }),
    type: site.id,
    name: String(number),
    slug: null,
    parentId: site.id,
    roles: { read: [], write: [], delete: [] },
    body: {},
    version: 1,
    revision: 1,
    presentation: JSON.stringify(publication),
    values: [],
    edges: [],
    search: null,
    blobs: [kept.hash, ...blobsOf(manifest)],
  }
}

async function activate(
  call: Call,
  tx: Transaction,
  { id: publicationId, siteId: id, repositoryId, slug, manifest }: KeptPublication,
): Promise<void> {
  await requireFreeAddress(within(call, tx), id, slug)
  const served = await tx.records.get('publishedSite', id)
  await tx.records.put(
    'publishedSite',
    { id, repositoryId, slug, publicationId, manifest },
    served?.revision ?? 0,
  )
}

/** The publications of a site, the newest first. */
export async function keptPublications(
  entities: EntityReader,
  line: Line,
  siteId: string,
): Promise<KeptPublication[]> {
  const { entities: heads } = await entities.list(line, {
    kind: 'publication',
    reader: { types: 'all', roles: 'all' },
    filter: standingIn([siteId]),
    archived: true,
    sort: [],
    limit: limits.pageMost,
    count: false,
  })
  return heads.map(keptOf).toSorted((a, b) => b.number - a.number)
}

function keptOf({ presentation }: PresentedEntity): KeptPublication {
  const kept: KeptPublication = JSON.parse(presentation)
  return kept
}

/** All publications of a site go with it. */
export async function purgePublications(tx: Transaction, line: Line, siteId: string): Promise<void> {
  const active = await tx.records.get('publishedSite', siteId)
  if (active) await tx.records.delete('publishedSite', siteId, active.revision)
  for (const { id } of await keptPublications(tx.entities, line, siteId))
    await tx.entities.purge(line, { kind: 'publication', id })
}

/** The publications of a site, the newest first. Errors: `not_found`, `forbidden`. */
export async function listPublications(
  call: Call,
  input: ParsedOf<Sites['publications']>,
): Promise<OutputOf<Sites['publications']>> {
  const { place, site } = await openSite(call, input, 'read')
  const active = await call.store.records.get('publishedSite', site.id)
  const kept = await keptPublications(call.store.entities, place.line, site.id)
  const items = kept.map((publication) => presentPublication(publication, active?.publicationId))
  return { count: items.length, items }
}

/** Serves an earlier publication again, where the site is served now. Errors: `not_found`, `forbidden`. */
export function rollback(call: Call, { id, ...ref }: ParsedOf<Sites['rollback']>): Promise<Publication> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, site } = await openSite(inside, ref, 'publish')
    const publication = await findPublication(inside, { place, site }, id)
    // Links are relative: it is served where the site is now.
    const served = await tx.records.get('publishedSite', site.id)
    await activate(inside, tx, { ...publication, slug: served?.slug ?? publication.slug })
    await tx.journal.record(entityEvent(call, 'SITE_ROLLED_BACK', eventOf(site, publication)))
    return presentPublication(publication, id)
  })
}

/** A publication of a site. Errors: `not_found`. */
export async function findPublication(
  call: Call,
  { place, site }: OpenedSite,
  id: string,
): Promise<KeptPublication> {
  const head = await call.store.entities.get(place.line, 'publication', id)
  if (head?.parentId === site.id) return keptOf(head)
  throw new QuireError('not_found', 'There is no such publication of this site.')
}

function presentPublication(
  { manifest: _manifest, slug: _slug, ...publication }: KeptPublication,
  activeId: string | undefined,
): Publication {
  return { ...publication, isActive: publication.id === activeId }
}
