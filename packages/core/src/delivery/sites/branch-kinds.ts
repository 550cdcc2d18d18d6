import { PageContent, SectionContent, SiteContent } from '@quire/contract'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { branchKindOf } from '../../content/structure/branch-kind.ts'
import { purgePublications } from './publications.ts'
import { siteRules, sectionRules, pageRules } from './kinds.ts'

const plainSiteKind = branchKindOf(siteRules, SiteContent)

/** Sites in packages. A site that a merge deletes on main is no longer served. */
export const siteKind: BranchKind = {
  ...plainSiteKind,
  async apply(call, change) {
    const head = await plainSiteKind.apply(call, change)
    const { scope } = change
    if (scope.package === null && head.deletedDate !== null)
      await purgePublications(call.store, scope.branch, head.id)
    return head
  },
}

/** Sections in packages. */
export const sectionKind = branchKindOf(sectionRules, SectionContent)

/** Pages in packages. */
export const pageKind = branchKindOf(pageRules, PageContent)
