import type { StructureKind } from '../../content/structure/kind.ts'

const keys = {
  read: 'sites.view',
  create: 'sites.update',
  update: 'sites.update',
  delete: 'sites.update',
} as const

const ofSites = { keys, scope: 'site', namedBy: 'slug', isVisibleOnItems: false } as const

/** Sites. */
export const siteRules: StructureKind<'site'> = {
  ...ofSites,
  kind: 'site',
  prefix: 'SITE',
  events: {
    created: 'SITE_CREATED',
    updated: 'SITE_UPDATED',
    deleted: 'SITE_DELETED',
    restored: 'SITE_UNDELETED',
  },
  parent: null,
  owner: null,
  references: [{ member: 'homeSectionId', kind: 'section' }],
  nullable: ['layoutTemplate'],
}

/** The sections of sites. */
export const sectionRules: StructureKind<'section'> = {
  ...ofSites,
  kind: 'section',
  prefix: 'SECT',
  events: {
    created: 'SECTION_CREATED',
    updated: 'SECTION_UPDATED',
    deleted: 'SECTION_DELETED',
    restored: 'SECTION_UNDELETED',
  },
  parent: { kind: 'section', member: 'parentId' },
  owner: { kind: 'site', member: 'siteId' },
  references: [{ member: 'rootPageId', kind: 'page' }],
  nullable: ['layoutTemplate'],
}

/** The pages of sites. */
export const pageRules: StructureKind<'page'> = {
  ...ofSites,
  kind: 'page',
  prefix: 'PAGE',
  events: {
    created: 'PAGE_CREATED',
    updated: 'PAGE_UPDATED',
    deleted: 'PAGE_DELETED',
    restored: 'PAGE_UNDELETED',
  },
  parent: { kind: 'section', member: 'sectionId' },
  owner: { kind: 'site', member: 'siteId' },
  references: [{ member: 'itemId', kind: 'item' }],
  nullable: [],
}
