import type { Api, CallOptions } from '@quire/contract'

/**
 * All writes of sites that accept an Idempotency-Key, with a key that was used for another request.
 */
export function writesOfSites({ sites, sections, pages }: Api, options: CallOptions): Promise<unknown>[] {
  const site = { configId: 'magazine', siteId: 'SITE_1' }
  const sectionId = 'SECT_1'
  return [
    sites.create({ configId: site.configId, name: 'Twice', slug: 'twice' }, options),
    sites.publish(site, options),
    sites.rollback({ ...site, id: 'PUBL_1' }, options),
    sections.create({ ...site, name: 'Twice' }, options),
    sections.move({ ...site, id: sectionId, parentId: null }, options),
    pages.create({ ...site, sectionId, name: 'Twice' }, options),
    pages.move({ ...site, id: 'PAGE_1', sectionId }, options),
  ]
}
