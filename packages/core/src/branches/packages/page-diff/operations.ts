import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { blobSource, once } from '../../../files/assets/stored-bytes.ts'
import { requirePermission, type Call } from '../../../engine/call.ts'
import { ServedBytes } from '../../../engine/served-bytes.ts'
import { PageDiffRefused, type StoredBlob } from '../../../ports/index.ts'
import { pageDiffDocument, type DiffedPage } from '../../../delivery/page-diff/page-diff-document.ts'
import { openPackage } from '../record.ts'
import { changedPages, type ChangedPage, type PageFilter } from './changed-pages.ts'
import { createStandIns } from './sites-to-compare.ts'

type Group = Contract['packages']

/** A stored comparison: its document, and the caller it was made for. */
interface StoredDiff {
  readonly repositoryId: string
  readonly caller: string
  readonly document: StoredBlob
}

/**
 * Renders the pages of sites on main and in a package, and stores a document that compares them.
 * Only the caller can open it, for `pageDiffLifetime`. Errors: `not_found`, `forbidden`, `invalid`
 * for an unknown `changeType`, `invalid_state` for a page whose templates fail or that cannot be
 * compared.
 * Source: specification 4.3, 2.14.
 */
export async function diffPages(
  call: Call,
  { repo, packageName, ...filters }: ParsedOf<Group['pageDiff']>,
): Promise<OutputOf<Group['pageDiff']>> {
  const ours = await openPackage(call, { repo, packageName }, 'packages.diff.view')
  const { repository } = ours
  const main = { repository, package: null, branch: { repositoryId: repository.id, packageId: null } }
  const standIns = createStandIns()
  const pages: DiffedPage[] = []
  for await (const page of changedPages(
    call,
    { main, ours },
    { isIncluded: pageFilter(filters), standIns },
  )) {
    const { inline, before, after, changes } = await highlightPage(call, page)
    const { restored } = standIns
    const views = { inline: restored(inline), before: restored(before), after: restored(after) }
    pages.push({ ...page, highlighted: { ...views, changes } })
  }
  const html = pageDiffDocument(pages, { title: `Pages changed by ${packageName}`, packageName })
  const document = await call.environment.blobs.put(once(new TextEncoder().encode(html)))
  const diffKey = call.environment.ids.secret(24)
  const stored: StoredDiff = { repositoryId: repository.id, caller: callerOf(call), document }
  const expires = call.environment.clock.now() + limits.pageDiffLifetime
  await call.write((call) => call.store.ephemera.put(keyOf(diffKey), JSON.stringify(stored), expires))
  const url = `${call.environment.baseUrl}/api/content/management/page-diffs/${diffKey}`
  return { diffKey, url, expiresInSeconds: limits.pageDiffLifetime / 1000 }
}

/**
 * Serves a comparison to the caller who made it. Errors: `not_found`, also for other callers and
 * after it has expired; `forbidden` when the caller has lost the permission since.
 */
export async function showPageDiff(
  call: Call,
  { diffKey }: ParsedOf<Group['showPageDiff']>,
): Promise<OutputOf<Group['showPageDiff']>> {
  const text = await call.store.ephemera.get(keyOf(diffKey), call.now)
  const stored: StoredDiff | null = text === null ? null : JSON.parse(text)
  if (!stored || stored.caller !== callerOf(call))
    throw new QuireError('not_found', 'The comparison does not exist or has expired: create a new one.')
  requirePermission(call, 'packages.diff.view', { repositoryId: stored.repositoryId })
  return new ServedBytes(
    blobSource(call, stored.document, {
      mimeType: 'text/html; charset=utf-8',
      fileName: 'page-diff.html',
      disposition: 'inline',
      isImmutable: false,
      isNegotiated: false,
      policy: "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src 'self'; sandbox",
    }),
  )
}

function keyOf(diffKey: string): string {
  return `pageDiff:${diffKey}`
}

function callerOf({ identity: { kind, id } }: Call): string {
  return `${kind}:${id}`
}

function pageFilter({
  sectionPath,
  pageSlug,
  changeType,
}: Pick<ParsedOf<Group['pageDiff']>, 'sectionPath' | 'pageSlug' | 'changeType'>): PageFilter {
  const section = sectionPath?.replace(/^\/+|\/+$/g, '')
  return ({ path, oldPath, slug, change }) =>
    (section === undefined || [path, oldPath].some((one) => one !== null && isWithin(one, section))) &&
    (pageSlug === undefined || slug === pageSlug) &&
    (changeType === undefined || change === changeType)
}

function isWithin(path: string, section: string): boolean {
  return section === '' || path === section || path.startsWith(`${section}/`)
}

/**
 * Errors: `invalid_state` for a page that is too large or too slow to compare; `unavailable` when
 * too many comparisons run.
 */
async function highlightPage(
  call: Call,
  { name, before, after }: ChangedPage,
): Promise<DiffedPage['highlighted']> {
  try {
    return await call.environment.pageDiffs.state(before, after)
  } catch (error) {
    if (!(error instanceof PageDiffRefused)) throw error
    if (error.kind === 'busy' || error.kind === 'closed')
      throw new QuireError('unavailable', undefined, { cause: error })
    throw new QuireError('invalid_state', `The page "${name}" cannot be compared: ${error.message}`, {
      cause: error,
    })
  }
}
