import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { assetIn, assetPath } from '../../content/items/asset.ts'
import { mayRead } from '../../content/items/find.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import type { Entity } from '../../ports/index.ts'
import type { SiteTarget } from './find.ts'
import { createItemFinder, createItemFinderAt, renderInOrder } from './item-source.ts'
import { notFoundNode, PageNotFound } from './not-found-page.ts'
import { rootPath } from './publication/address.ts'
import { createSiteRenderer } from './render/site-renderer.ts'
import { throwTemplateProblem } from './render/template-fault.ts'
import { acceptsHtml, privatePolicy } from './served-file.ts'
import { inLocale } from './site-locales.ts'
import { mapsOf, readSite, siteAt } from './site-map.ts'

type Preview = Contract['sites']['preview']

/** Where those who see a preview find what it leads to. */
export interface PreviewAddresses {
  /** The path of the site's preview, with a trailing slash; null: absent pages have no page. */
  readonly root: string | null
  /** The address of a rendition of an asset, absolute or from the root of the site. */
  readonly file: (assetId: string, rendition: string) => Promise<string>
  /** What its pages may load and do (Content-Security-Policy). */
  readonly policy: string
}

/**
 * Renders a page from the current heads of a branch, or as it was or will be at a time, with the items
 * that the caller may read. Errors: `not_found`, `forbidden`; `invalid_state` for a page whose
 * templates fail; `version_forgotten`, `merge_conflict` for an item that it shows.
 */
export function previewPage(
  call: Call,
  { path, at, ...ref }: ParsedOf<Preview>,
  target: SiteTarget,
): Promise<OutputOf<Preview>> {
  return renderPreview(call, target, { path, at, addresses: addressesFor(call, ref, target.scope) })
}

interface PreviewRequest extends Pick<ParsedOf<Preview>, 'path' | 'at'> {
  readonly addresses: PreviewAddresses
}

/** Renders a page for people who find what it leads to at certain addresses. Errors: as above. */
export async function renderPreview(
  call: Call,
  { scope, site }: SiteTarget,
  { path, at = call.now, addresses }: PreviewRequest,
): Promise<OutputOf<Preview>> {
  const parts =
    at === call.now
      ? await readSite(call, scope.branch, site)
      : await siteAt(call, scope, { siteId: site.id, at })
  const maps = mapsOf(scope, parts)
  const address = path.replace(/\/+$/, '')
  const node = maps.flatMap(({ pages }) => [...pages.values()]).find((one) => one.path === address)
  const [first] = maps
  const [prefix] = address.split('/', 1)
  const map = maps.find(({ locale }) => (node ? node.locale === locale : locale?.prefix === prefix)) ?? first
  const { root, policy } = addresses
  const visible = node ?? (root !== null && acceptsHtml(call) ? notFoundNode(map, root) : null)
  const absent = `There is no page at "${address}".`
  if (!visible) throw new QuireError('not_found', absent)
  const renderer = await createSiteRenderer({
    map,
    maps,
    repository: scope.repository,
    source: previewSource(inLocale(call, map.locale), scope, { at, addresses }),
    isPreview: true,
    round: call.shared.round,
  })
  const { html } = await renderInOrder(call, () => renderer.render(visible)).catch(throwTemplateProblem)
  if (!node) throw new PageNotFound(absent, { html, policy })
  const isFolder = address === '' || path.endsWith('/')
  const location = isFolder ? undefined : `${address.split('/').at(-1)}/`
  return previewBytes(html, { policy, location })
}

/** Addresses that need the rights of the caller. */
function addressesFor(
  { environment: { baseUrl } }: Call,
  { configId, siteId }: Omit<ParsedOf<Preview>, 'path'>,
  { repository, package: found }: Scope,
): PreviewAddresses {
  const packageName = found?.name ?? null
  const names = packageName === null ? [configId] : [configId, '_package', packageName]
  const path = [...names, siteId].map(encodeURIComponent).join('/')
  return {
    root: `${rootPath(baseUrl)}api/sites/${path}/preview/`,
    policy: privatePolicy,
    file: async (id, rendition) =>
      `${baseUrl}${assetPath({ repositoryId: repository.id, packageName, id })}/${encodeURIComponent(rendition)}`,
  }
}

/** Items of a branch that the caller may read, with the URLs where their files are. */
function previewSource(
  call: Call,
  scope: Scope,
  { at, addresses }: { readonly at: number; readonly addresses: PreviewAddresses },
) {
  const isVisible = (head: Entity) => mayRead(call, head)
  return {
    item:
      at === call.now
        ? createItemFinder(call, { branch: scope.branch, isVisible })
        : createItemFinderAt(call, scope, at),
    async file({ id }: Item, rendition: string) {
      const head = await call.store.entities.get(scope.branch, 'item', id)
      return head && assetIn(head.body) ? addresses.file(id, rendition) : null
    },
  }
}

/**
 * A rendered page, or a redirect to `location`: links in pages are relative and need the trailing
 * slash.
 */
export async function previewBytes(
  html: string,
  { policy, location }: { readonly policy: string; readonly location?: string | undefined },
): Promise<ServedBytes> {
  const bytes = new TextEncoder().encode(html)
  return new ServedBytes({
    ...(await sourceAtHand(bytes)),
    mimeType: 'text/html; charset=utf-8',
    fileName: 'preview.html',
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
    policy,
    ...(location !== undefined && { location: encodeURI(location) }),
  })
}
