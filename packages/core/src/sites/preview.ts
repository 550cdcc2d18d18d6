import { QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { sourceAtHand } from '../assets/kept-bytes.ts'
import type { Call } from '../call/call.ts'
import { ServedBytes } from '../call/served-bytes.ts'
import { assetIn, assetPath } from '../items/asset.ts'
import { mayRead } from '../items/find.ts'
import type { Place } from '../lines/lines.ts'
import { openSite } from './find.ts'
import { itemsShown } from './item-source.ts'
import { readSiteMap } from './read-site-map.ts'
import { createSiteRenderer } from './render/site-renderer.ts'
import { privatePolicy } from './served-file.ts'
import { templateProblem } from './template-problem.ts'

type Preview = Contract['sites']['preview']

/** A page as the line has it now, with items as the caller may read them. Errors: `not_found`, `forbidden`; `invalid_state` for a page whose templates fail. */
export async function previewPage(
  call: Call,
  { path, ...ref }: ParsedOf<Preview>,
): Promise<OutputOf<Preview>> {
  const { place, site } = await openSite(call, ref, 'read')
  const map = await readSiteMap(call, place.line, site)
  const address = path.replace(/\/+$/, '')
  const node = [...map.pages.values()].find((one) => one.path === address)
  if (!node) throw new QuireError('not_found', `There is no page at "${address}".`)
  const renderer = await createSiteRenderer({
    map,
    repository: place.repository,
    source: previewSource(call, place),
    isPreview: true,
  })
  const { html } = await renderer.render(node).catch(templateProblem)
  const isFolder = address === '' || path.endsWith('/')
  return previewOf(html, isFolder ? undefined : `${address.split('/').at(-1)}/`)
}

/** Items as the caller may read them on a line; their files are where the caller gets them. */
function previewSource(call: Call, place: Place) {
  const { baseUrl } = call.environment
  const packageName = place.package?.name ?? null
  return {
    item: itemsShown(call, { line: place.line, isShown: (head) => mayRead(call, head) }),
    async file({ id, repositoryId }: Item, rendition: string) {
      const head = await call.store.entities.get(place.line, 'item', id)
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
