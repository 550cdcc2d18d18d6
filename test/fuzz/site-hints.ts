import type { Hinting, Hints } from './hinting.ts'
import { preparedSite } from './prepare-structure.ts'
import { preparedPackage } from './prepare.ts'

const onBranch: Hints = {
  configId: ({ pool }) => pool.magazine,
  packageName: () => preparedPackage,
  layoutTemplate: ({ random }) => random.pick([null, 'layout', 'page', 'none']),
  template: ({ random }) => random.pick(['page', 'page', 'layout', 'none']),
  order: ({ random }) => random.below(20) - 10,
  recursive: ({ random }) => random.chance(0.5),
  path: ({ random }) => random.pick(['', 'articles', 'articles/', 'articles/ink/', 'sitemap.xml', '../x']),
}

// Operations that need a publication, or an existing page.
const isOfPrepared = /rollback|export|preview/

export const siteHints: Hints = {
  ...onBranch,
  name: ({ random }) => `Site ${random.below(2000)}`,
  slug: ({ random }) => `site-${random.below(300)}`,
  siteId: ({ site, operation, pool }) =>
    isOfPrepared.test(operation.id) ? pool.publication.siteId : (site?.id ?? 'SITE_none-yet'),
  siteSlug: ({ random }) => (random.chance(0.5) ? preparedSite : `site-${random.below(300)}`),
  id: ({ pool }) => pool.publication.id,
  baseUrl: ({ random }) => random.pick(['', 'https://ink.example.com/', 'ftp://ink.example.com']),
  homeSectionId: ({ section }) => section?.id ?? null,
  templates: ({ random }) =>
    random.pick([
      { page: '<h1>{{ item.name }}</h1>', layout: '{{ content }}' },
      { page: '{% for page in site.sections %}{{ page.url }}{% endfor %}' },
      { page: '{{ item | rendition: "card" }}', layout: '{% if %}' },
      { page: '{{ item.fields.title | no_such_filter }}' },
    ]),
}

/** Hints for sections. The site is that of the section, if one is named. */
export const sectionHints: Hints = {
  ...onBranch,
  name: ({ random }) => `Section ${random.below(2000)}`,
  id: ({ section }) => section?.id ?? 'SECT_none-yet',
  siteId: siteOf('section'),
  parentId: (making) => (making.random.chance(0.5) ? null : inSame(making, 'section')),
  rootPageId: ({ page }) => page?.id ?? null,
}

/** Hints for pages. The site is that of the page, if one is named. */
export const pageHints: Hints = {
  ...onBranch,
  name: ({ random }) => `Page ${random.below(2000)}`,
  id: ({ page }) => page?.id ?? 'PAGE_none-yet',
  siteId: siteOf('page'),
  sectionId: (making) => inSame(making, 'page') ?? 'SECT_none-yet',
  itemId: (_, item) => item?.id ?? null,
}

function siteOf(kind: 'section' | 'page') {
  return (making: Hinting): string => making[kind]?.siteId ?? making.site?.id ?? 'SITE_none-yet'
}

/** A section of the named site; null if none is known. */
function inSame(making: Hinting, kind: 'section' | 'page'): string | null {
  const siteId = siteOf(kind)(making)
  const section = making.pool.sections.pick(making.random)
  return section?.siteId === siteId ? section.id : null
}
