import { exampleSaved } from '../../content/folders/examples.ts'
import { exampleItem } from '../../content/items/examples.ts'
import type { Page, Publication, Section, Site } from './shapes.ts'

/** A site, as the examples of the reference show it. */
export const exampleSite: Site = {
  id: 'SITE_01JB2Q5D9E1G3J5M7P9R1T3V5X',
  name: 'The magazine',
  slug: 'magazine',
  description: '',
  baseUrl: 'https://magazine.example.com',
  templates: { layout: '<main>{{ content }}</main>', page: '<h1>{{ item.name }}</h1>' },
  layoutTemplate: 'layout',
  homeSectionId: 'SECT_01JB2Q5E1F3H5K7N9Q1S3U5W7Y',
  settings: { tagline: 'Ink, paper, type' },
  ...exampleSaved,
}

/** A section of the example site. */
export const exampleSection: Section = {
  id: 'SECT_01JB2Q5E1F3H5K7N9Q1S3U5W7Y',
  siteId: exampleSite.id,
  parentId: null,
  name: 'Articles',
  slug: 'articles',
  description: '',
  order: 0,
  rootPageId: null,
  layoutTemplate: null,
  ...exampleSaved,
  path: [],
}

/** A page of the example site. */
export const examplePage: Page = {
  id: 'PAGE_01JB2Q5F2G4J6L8N0P2R4T6V8X',
  siteId: exampleSite.id,
  sectionId: exampleSection.id,
  name: exampleItem.name,
  slug: exampleItem.slug,
  description: '',
  itemId: exampleItem.id,
  template: 'page',
  order: 0,
  visible: true,
  meta: {},
  ...exampleSaved,
  path: [{ id: exampleSection.id, name: exampleSection.name }],
}

/** A publication of the example site. */
export const examplePublication: Publication = {
  id: 'PUBL_01JB2Q5G3H5K7M9P1R3T5V7X9Z',
  repositoryId: exampleSite.repositoryId,
  siteId: exampleSite.id,
  number: 7,
  isActive: true,
  pages: 41,
  rendered: 2,
  files: 58,
  bytes: 1_204_311,
  redirects: 1,
  comment: '',
  createdDate: exampleSaved.createdDate,
  createdByUser: exampleSaved.createdByUser,
}

/** The path of the example site. */
export const exampleSitePath = { configId: 'magazine', siteId: exampleSite.id }
