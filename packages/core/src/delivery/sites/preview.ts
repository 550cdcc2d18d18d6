import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import type { Call } from '../../engine/call.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { assetIn, assetPath } from '../../content/items/asset.ts'
import { mayRead } from '../../content/items/find.ts'
import type { Scope } from '../../engine/scope.ts'
import { openSite } from './find.ts'
import { itemsVisible } from './item-source.ts'
import { rootPath } from './publication/address.ts'
import { readSiteMap } from './read-site-map.ts'
import { createSiteRenderer } from './render/site-renderer.ts'
import { notFoundNode, PageNotFound } from './not-found-page.ts'
import { privatePolicy, takesPages } from './served-file.ts'
import { renderedFor } from './rendered-for.ts'
import { templateProblem } from './template-problem.ts'

type Preview = Contract['sites']['preview']

/** A page as the branch has it now, with items as the caller may read them. Errors: `not_found`, `forbidden`; `invalid_state` for a page whose templates fail. */
export async function previewPage(
  call: Call,
  { path, ...ref }: ParsedOf<Preview>,
): Promise<OutputOf<Preview>> {
  const { scope, site } = await openSite(call, ref, 'read')
  const map = await readSiteMap(call, scope.branch, site)
  const address = path.replace(/\/+$/, '')
  const node = [...map.pages.values()].find((one) => one.path === address)
  const visible = node ?? (takesPages(call) ? notFoundNode(map.site, previewRoot(call, ref)) : null)
  const absent = `There is no page at "${address}".`
  if (!visible) throw new QuireError('not_found', absent)
  const renderer = await createSiteRenderer({
    map,
    repository: scope.repository,
    source: previewSource(call, scope),
    isPreview: true,
    round: call.shared.round,
  })
  const { html } = await renderedFor(call, () => renderer.render(visible)).catch(templateProblem)
  if (!node) throw new PageNotFound(absent, { html, policy: privatePolicy })
  const isFolder = address === '' || path.endsWith('/')
  return previewOf(html, isFolder ? undefined : `${address.split('/').at(-1)}/`)
}

/** Where the preview of a site is, with a slash at its end. */
function previewRoot(
  { environment }: Call,
  { configId, packageName, siteId }: Omit<ParsedOf<Preview>, 'path'>,
): string {
  const names = packageName === undefined ? [configId] : [configId, '_package', packageName]
  const path = [...names, siteId].map(encodeURIComponent).join('/')
  return `${rootPath(environment.baseUrl)}api/sites/${path}/preview/`
}

/** Items as the caller may read them on a branch; their files are where the caller gets them. */
function previewSource(call: Call, scope: Scope) {
  const { baseUrl } = call.environment
  const packageName = scope.package?.name ?? null
  return {
    item: itemsVisible(call, { branch: scope.branch, isVisible: (head) => mayRead(call, head) }),
    async file({ id, repositoryId }: Item, rendition: string) {
      const head = await call.store.entities.get(scope.branch, 'item', id)
      if (!head || !assetIn(head.body)) return null
      return `${baseUrl}${assetPath({ repositoryId, packageName, id })}/${encodeURIComponent(rendition)}`
    },
  }
}

/** Links in a page are relative: who asked for it without the slash at its end is sent to where they hold. */
async function previewOf(html: string, location: string | undefined): Promise<ServedBytes> {
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
