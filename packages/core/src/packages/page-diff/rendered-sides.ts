import type { Call } from '../../call/call.ts'
import { mayRead } from '../../items/find.ts'
import type { Place } from '../../lines/lines.ts'
import type { Entity } from '../../ports/index.ts'
import { inlinedFiles } from '../../sites/inlined-files.ts'
import { itemsShown } from '../../sites/item-source.ts'
import { readSiteMap } from '../../sites/read-site-map.ts'
import { createSiteRenderer } from '../../sites/render/site-renderer.ts'
import type { PageNode } from '../../sites/site-map.ts'
import { templateProblem } from '../../sites/template-problem.ts'
import type { StandIns } from './stand-ins.ts'

/** The pages of a site as one line shows them. */
export interface SiteSide {
  readonly pages: ReadonlyMap<string, PageNode>
  /** The page as HTML; empty when it is not shown: it is hidden, or its item is not there for the caller. Errors: `invalid_state` for a template that fails. */
  html(node: PageNode | undefined): Promise<string>
}

/** A site on a line. */
export interface RenderedSite {
  /** Without one it has no pages there. */
  readonly head: Entity | undefined
  readonly standIns: StandIns
}

/** A site on a line, with stand-ins for its pictures. */
export async function siteSide(
  call: Call,
  place: Place,
  { head, standIns }: RenderedSite,
): Promise<SiteSide> {
  if (!head) return { pages: new Map(), html: async () => '' }
  const map = await readSiteMap(call, place.line, head)
  const item = itemsShown(call, { line: place.line, isShown: (one) => mayRead(call, one) })
  const source = { item, file: standIns.of(inlinedFiles(call, place)) }
  const renderer = await createSiteRenderer({ map, repository: place.repository, source, isPreview: true })
  return {
    pages: map.pages,
    async html(node) {
      if (!node?.page.visible) return ''
      const { itemId } = node.page
      if (itemId !== null && !(await item(itemId))) return ''
      const { html } = await renderer.render(node).catch(templateProblem)
      return html
    },
  }
}
