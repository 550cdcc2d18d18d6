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

/**
 * Renders a page from the current heads of a branch, or as it was or will be at a time, with the items
 * that the caller may read. Errors: `not_found`, `forbidden`; `invalid_state` for a page whose
 * templates fail; `version_forgotten`, `merge_conflict` for an item that it shows.
 */
export async function previewPage(
  call: Call,
  { path, at = call.now, ...ref }: ParsedOf<Preview>,
  { scope, site }: SiteTarget,
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
  const visible = node ?? (acceptsHtml(call) ? notFoundNode(map, previewRoot(call, ref)) : null)
  const absent = `There is no page at "${address}".`
  if (!visible) throw new QuireError('not_found', absent)
  const renderer = await createSiteRenderer({
    map,
    maps,
    repository: scope.repository,
    source: previewSource(inLocale(call, map.locale), scope, at),
    isPreview: true,
    round: call.shared.round,
  })
  const { html } = await renderInOrder(call, () => renderer.render(visible)).catch(throwTemplateProblem)
  if (!node) throw new PageNotFound(absent, { html, policy: privatePolicy })
  const isFolder = address === '' || path.endsWith('/')
  return previewBytes(html, isFolder ? undefined : `${address.split('/').at(-1)}/`)
}

/** The path of a site's preview, with a trailing slash. */
function previewRoot(
  { environment }: Call,
  { configId, packageName, siteId }: Omit<ParsedOf<Preview>, 'path'>,
): string {
  const names = packageName === undefined ? [configId] : [configId, '_package', packageName]
  const path = [...names, siteId].map(encodeURIComponent).join('/')
  return `${rootPath(environment.baseUrl)}api/sites/${path}/preview/`
}

/**
 * Items of a branch that the caller may read, with the URLs where the caller can fetch their files.
 */
function previewSource(call: Call, scope: Scope, at: number) {
  const { baseUrl } = call.environment
  const packageName = scope.package?.name ?? null
  const isVisible = (head: Entity) => mayRead(call, head)
  return {
    item:
      at === call.now
        ? createItemFinder(call, { branch: scope.branch, isVisible })
        : createItemFinderAt(call, scope, at),
    async file({ id, repositoryId }: Item, rendition: string) {
      const head = await call.store.entities.get(scope.branch, 'item', id)
      if (!head || !assetIn(head.body)) return null
      return `${baseUrl}${assetPath({ repositoryId, packageName, id })}/${encodeURIComponent(rendition)}`
    },
  }
}

/**
 * A rendered page, or a redirect to `location`: links in pages are relative and need the trailing
 * slash.
 */
async function previewBytes(html: string, location: string | undefined): Promise<ServedBytes> {
  const bytes = new TextEncoder().encode(html)
  return new ServedBytes({
    ...(await sourceAtHand(bytes)),
    mimeType: 'text/html; charset=utf-8',
    fileName: 'preview.html',
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
    policy: privatePolicy,
    ...(location !== undefined && { location: encodeURI(location) }),
  })
}
