import { QuireError, type Contract, type OutputOf, type ParsedOf, type PermissionKey } from '@quire/contract'
import { findSiteTarget } from '../../../delivery/sites/find.ts'
import { renderPreview, type PreviewAddresses } from '../../../delivery/sites/preview.ts'
import { sharedPolicy } from '../../../delivery/sites/served-file.ts'
import { valueOf, type Answer } from '../../../engine/answer.ts'
import type { Call } from '../../../engine/call.ts'
import { digest } from '../../../engine/digest.ts'
import { ServedBytes } from '../../../engine/served-bytes.ts'
import type { Stored } from '../../../ports/index.ts'
import { noSuchLink, overviewPage } from './overview.ts'
import { resolveIdentity, type Identity } from '../../../engine/access/identity.ts'
import { mayDo, type Permissions } from '../../../engine/access/permissions.ts'
import { withKeysOnly } from '../../../engine/access/reading.ts'

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
  const found = await call.store.records.get('package', link.packageId)
  if (!found || found.state === 'deleted') throw noSuchLink()
  const viewer = await viewerOf(call, link)
  const [view = '', id = '', ...rest] = path.split('/')
  const at = { configId: link.repositoryId, packageName: found.name }
  if (view === '') return overviewPage(viewer, { link, found, at })
  // It would show what main has become since.
  if (found.state === 'merged') throw noSuchPath()
  if (view === 'changes' && id === '') return changesOf(viewer, link, found.name)
  if (view === 'files') return fileOf(viewer, link, { at, id, rest })
  if (view !== 'sites' || id === '') throw noSuchPath()
  const target = await findSiteTarget(viewer, { ...at, siteId: id }, { key: 'sites.view' })
  return renderPreview(viewer, target, { path: rest.join('/'), addresses: addressesIn(call, link) })
}

function noSuchPath(): QuireError {
  return new QuireError('not_found', 'The link shows nothing at this path.')
}

/**
 * Addresses for templates, which others may have written: without the token, and nothing that leads
 * out of the page. The page gives no origin away, so that its files count as those of another one.
 */
function addressesIn(call: Call, link: Stored<'shareLink'>): PreviewAddresses {
  return {
    root: null,
    policy: sharedPolicy,
    file: async (id, rendition) =>
      `../../files/${id}/${rendition}/${await call.environment.secrets.hmac(signedText(link, id, rendition))}`,
  }
}

function signedText({ id: linkId }: Stored<'shareLink'>, id: string, rendition: string): string {
  return `shared file ${linkId} ${id} ${rendition}`
}

interface FileRef {
  readonly at: { readonly configId: string; readonly packageName: string }
  readonly id: string
  readonly rest: readonly string[]
}

/** A file that a preview of this link shows, and no other. Errors: `not_found`. */
async function fileOf(
  viewer: Call,
  link: Stored<'shareLink'>,
  { at, id, rest: [rendition = '', signature = ''] }: FileRef,
): Promise<Answer<OutputOf<Show>>> {
  const signatures = await viewer.environment.secrets.hmacs(signedText(link, id, rendition))
  if (!signatures.includes(signature)) throw noSuchPath()
  const file = valueOf(await viewer.invoke('assets.get', { ...at, assetId: id, rendition }))
  if (!(file instanceof ServedBytes)) throw new TypeError('An asset is not served as bytes.')
  return new ServedBytes({ ...file.source, isEmbeddable: true })
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

/**
 * The comparison of pages: made once a minute for all visitors of the link, as long as its maker holds
 * the same rights, and one at a time for all links. Errors: those of page diffs.
 */
async function changesOf(
  viewer: Call,
  { id, repositoryId: repo }: Stored<'shareLink'>,
  packageName: string,
): Promise<Answer<OutputOf<Show>>> {
  const key = `sharedChanges:${id}:${await digest(permissionsText(viewer.identity.permissions))}`
  // Whoever comes first may go away while the others wait.
  const call = { ...viewer, signal: undefined }
  const made = await viewer.shared.join(key, async () => {
    const known = await call.store.ephemera.get(key, call.now)
    if (known !== null) return known
    const text = await viewer.shared.inOrder('shared changes', () => compared(call, { repo, packageName }))
    await call.write(({ store }) => store.ephemera.put(key, text, call.now + comparedFor))
    return text
  })
  const { diffKey, problem }: Comparison = JSON.parse(made)
  if (diffKey === undefined) throw new QuireError('invalid_state', problem)
  return viewer.invoke('packages.showPageDiff', { diffKey })
}

interface Comparison {
  readonly diffKey?: string
  /** Why the pages cannot be compared: it is not tried again for each visitor. */
  readonly problem?: string
}

/** Compares, and returns a `Comparison` as JSON. Errors: those that another try may not have. */
async function compared(call: Call, ref: { repo: string; packageName: string }): Promise<string> {
  try {
    const { diffKey } = valueOf(await call.invoke('packages.pageDiff', ref))
    return JSON.stringify({ diffKey })
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'invalid_state') throw error
    return JSON.stringify({ problem: error.message })
  }
}

/** The keys that a link gives, as far as its maker holds them. */
const readKeys: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'items.read',
  'assets.read',
  'assets.download',
  'folders.read',
  'taxonomies.read',
  'packages.view',
  'packages.diff.view',
  'sites.view',
])

/**
 * The same call as somebody who may read what the maker of a link may read now, and do nothing else.
 * They are told apart from the maker, so that they do not use up the maker's turns. Errors: `not_found`.
 */
async function viewerOf(call: Call, { id, repositoryId, maker }: Stored<'shareLink'>): Promise<Call> {
  const account = await currentMaker(call, maker)
  if (account?.owner !== maker.owner || account.isAgent) throw noSuchLink()
  if (account.expiresAt !== null && account.expiresAt <= call.now) throw noSuchLink()
  const permissions = withKeysOnly(account.permissions, readKeys)
  if (!mayDo(permissions, 'packages.view', { repositoryId })) throw noSuchLink()
  const identity = { ...account, id, name: 'Share link', permissions }
  return { ...call, identity, cacheTags: undefined }
}

/** The maker of a link; null for an account that is gone or disabled, or whose secrets changed. */
async function currentMaker(
  { store: { records } }: Call,
  { kind, id, epoch }: Stored<'shareLink'>['maker'],
): Promise<Identity | null> {
  const principal =
    kind === 'system' ? ({ kind, name: id } as const) : { kind, id, ...(epoch !== undefined && { epoch }) }
  try {
    return await resolveIdentity(records, principal)
  } catch (error) {
    if (error instanceof QuireError && error.code === 'unauthorized') return null
    throw error
  }
}

/** Permissions as text, to tell whether they have changed. */
function permissionsText(permissions: Permissions): string {
  return JSON.stringify(permissions, (_, value: unknown) =>
    value instanceof Set || value instanceof Map ? [...value] : value,
  )
}
