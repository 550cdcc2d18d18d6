import type { Call } from '../../engine/call.ts'
import { createItemFinder, type ItemFinder, type VisibleItems } from './item-source.ts'
import { createSiteRenderer, type SiteRenderer } from './render/site-renderer.ts'
import type { RenderSource } from './render/template-fault.ts'
import { inLocale, type SiteLocale } from './site-locales.ts'
import type { RenderableNode, SiteMap } from './site-map.ts'

/** What renders the pages of a site in one locale, and finds the items that they show. */
interface Rendering {
  readonly renderer: SiteRenderer
  readonly item: ItemFinder
}

/** By the locale of a page. */
export type Renderings = (node: Pick<RenderableNode, 'locale'>) => Rendering

interface RenderingsParts {
  readonly maps: readonly SiteMap[]
  readonly repository: { readonly id: string; readonly name: string }
  readonly file: RenderSource['file']
  readonly isPreview: boolean
  /** The items that the pages of a locale show. */
  readonly items: (locale: SiteLocale | null) => VisibleItems
}

/** Creates a renderer for each map of a site. */
export async function createRenderings(
  call: Call,
  { maps, repository, file, isPreview, items }: RenderingsParts,
): Promise<Renderings> {
  const { round } = call.shared
  const byCode = new Map<string | undefined, Rendering>()
  for (const map of maps) {
    const item = createItemFinder(inLocale(call, map.locale), items(map.locale))
    const parts = { map, maps, repository, source: { item, file }, isPreview, round }
    byCode.set(map.locale?.code, { renderer: await createSiteRenderer(parts), item })
  }
  return ({ locale }) => {
    const rendering = byCode.get(locale?.code)
    if (!rendering) throw new TypeError(`There is no map for the locale ${locale?.code}`)
    return rendering
  }
}
