import { QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { rootPath } from '../../../delivery/sites/publication/address.ts'
import { findSiteTarget } from '../../../delivery/sites/find.ts'
import { renderPreview, type PreviewAddresses } from '../../../delivery/sites/preview.ts'
import { valueOf, type Answer } from '../../../engine/answer.ts'
import type { Call } from '../../../engine/call.ts'
import type { Stored } from '../../../ports/index.ts'
import { noSuchLink, overviewPage } from './overview.ts'
import { viewerOf } from './viewer.ts'

type Show = Contract['packages']['shared']

/**
 * Shows what a share link leads to, as its maker may read it now: an overview, the changes to pages, a
 * preview of a page, or a file in one. Errors: `not_found`, the same for a link that never existed, has
 * expired, was revoked or whose maker is gone; those of previews and page diffs.
 */
export async function showShared(
  call: Call,
  { token, path }: ParsedOf<Show>,
): Promise<Answer<OutputOf<Show>>> {
  const link = await findLink(call, token)
  const { repositoryId, packageId } = link
  const found = await call.store.records.get('package', packageId)
  if (!found || found.state === 'deleted') throw noSuchLink()
  const viewer = await viewerOf(call, link)
  const [view = '', id = '', ...rest] = path.split('/')
  const at = { configId: repositoryId, packageName: found.name }
  if (view === '') return overviewPage(viewer, { link, found, at })
  if (view === 'changes' && id === '') return changesOf(viewer, link, found.name)
  if (view === 'files' && rest.length === 1)
    return viewer.invoke('assets.get', { ...at, assetId: id, rendition: rest[0] })
  if (view !== 'sites' || id === '') throw new QuireError('not_found', 'The link shows nothing at this path.')
  const { baseUrl } = call.environment
  const addresses: PreviewAddresses = {
    root: `${rootPath(baseUrl)}shared/${token}/sites/${id}/`,
    file: (assetId, rendition) =>
      `${baseUrl}/shared/${token}/files/${assetId}/${encodeURIComponent(rendition)}`,
  }
  const target = await findSiteTarget(viewer, { ...at, siteId: id }, { key: 'sites.view' })
  return renderPreview(viewer, target, { path: rest.join('/'), addresses })
}

/** Errors: `not_found`. */
async function findLink(call: Call, token: string): Promise<Stored<'shareLink'>> {
  for (const hash of await call.environment.secrets.hmacs(token)) {
    const link = await call.store.records.find('shareLink', `hash:${hash}`)
    if (link && link.expiresAt > call.now) return link
  }
  throw noSuchLink()
}

// A comparison renders up to hundreds of pages: visitors of one link share it for so long (ms).
const comparedFor = 60_000

/** The comparison of pages: made once a minute for all visitors of the link. Errors: those of page diffs. */
async function changesOf(
  viewer: Call,
  { id, repositoryId: repo }: Stored<'shareLink'>,
  packageName: string,
): Promise<Answer<OutputOf<Show>>> {
  const key = `sharedChanges:${id}`
  // Whoever comes first may go away while the others wait.
  const call = { ...viewer, signal: undefined }
  const diffKey = await viewer.shared.join(key, async () => {
    const known = await call.store.ephemera.get(key, call.now)
    if (known !== null) return known
    const { diffKey } = valueOf(await call.invoke('packages.pageDiff', { repo, packageName }))
    await call.write(({ store }) => store.ephemera.put(key, diffKey, call.now + comparedFor))
    return diffKey
  })
  return viewer.invoke('packages.showPageDiff', { diffKey })
}
