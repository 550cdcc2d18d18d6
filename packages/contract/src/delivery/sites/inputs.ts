import { z } from 'zod'
import { Id, listInput } from '../../conventions.ts'
import { onRepository } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'

/** The members of a path to a site. */
export const onSite = { ...onRepository, siteId: Id.describe('The site') }

/** The members of a path to a section or page. */
export const inSite = { ...onSite, id: Id }

/** What lists of sites, sections and pages take. */
export const siteListInput = {
  text: z.string().max(limits.search).optional().describe('Words of name or description, each as a prefix'),
  limit: listInput.limit,
  cursor: listInput.cursor,
  skipCount: listInput.skipCount,
}
