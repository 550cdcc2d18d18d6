import { z } from 'zod'
import { Id, listInput } from '../../conventions.ts'
import { onRepository } from '../../content/items/inputs.ts'
import { limits } from '../../limits.ts'

/** The path members that name a site. */
export const onSite = { ...onRepository, siteId: Id.describe('The site') }

/** The path members that name a section or page. */
export const inSite = { ...onSite, id: Id }

/** The input that lists of sites, sections and pages share. */
export const siteListInput = {
  text: z
    .string()
    .max(limits.search)
    .optional()
    .describe('Words in the name or description; each matches as a prefix'),
  limit: listInput.limit,
  cursor: listInput.cursor,
  skipCount: listInput.skipCount,
}
