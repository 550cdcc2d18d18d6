import { PageContent, SectionContent, SiteContent } from '@quire/contract'
import type { LineKind } from '../lines/line-kind.ts'
import { lineKindOf } from '../structure/line-kind.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'
import { purgePublications } from './publications.ts'

const plainSiteKind = lineKindOf(siteRules, SiteContent)

/** Sites in packages. One that a merge deletes on main is no longer served. */
export const siteKind: LineKind = {
  ...plainSiteKind,
  async land(call, tx, landing) {
    const head = await plainSiteKind.land(call, tx, landing)
    const { place } = landing
    if (place.package === null && head.deletedDate !== null) await purgePublications(tx, place.line, head.id)
    return head
  },
}

/** Sections in packages. */
export const sectionKind = lineKindOf(sectionRules, SectionContent)

/** Pages in packages. */
export const pageKind = lineKindOf(pageRules, PageContent)
