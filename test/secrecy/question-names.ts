import { FilterOperators } from '@quire/contract'

const texts = ['umbra', 'zenith', 'amber', 'a', 'z%']
const numbers = ['2', '6', '7', '3.5', '1e3']

/** Names to filter and sort by, with possible operands. */
export const known: Readonly<Record<string, readonly string[]>> = {
  id: ['CONT_0', 'CONT_Z'],
  type: ['vault', 'article'],
  name: ['umbra 1', 'zenith 1'],
  slug: ['umbra-1', 'zenith-1'],
  status: ['published', 'draft'],
  folderId: ['FOLD_0', 'FOLD_Z'],
  categories: ['CATG_0', 'CATG_Z'],
  currentVersion: ['1', '2'],
  latestVersion: ['1', '2'],
  isArchived: ['true', 'false'],
  isPublished: ['true', 'false'],
  createdDate: ['1749988808000', '1749988810000'],
  updatedDate: ['1749988808000', '1749988812000'],
  publishedDate: ['1749988808000', '1749988812000'],
  'createdByUser.userName': ['ada@example.org', 'eve@hidden.example'],
  'updatedByUser.userName': ['ben@example.org', 'system:world'],
  'fields.title': texts,
  'fields.body': texts,
  'fields.price': numbers,
  'fields.pages': numbers,
  'fields.hot': ['true', 'false'],
  'fields.day': ['2026-06-01', '2026-01-01'],
  'fields.at': ['6000', '1000'],
  'fields.author': ['CONT_0', 'CONT_Z'],
  'fields.related': ['CONT_0', 'CONT_Z'],
  'fields.secondCousins': ['CONT_0', 'CONT_Z'],
  'fields.guard': ['CONT_0', 'CONT_Z'],
  'fields.picture': ['CONT_0', 'CONT_Z'],
  'fields.subject': ['CATG_0', 'CATG_Z'],
  'fields.link': ['https://umbra.example/', 'https://zenith'],
  'fields.mail': ['umbra@example.org', 'zenith'],
  'fields.handle': texts,
  'fields.tint': ['#000006', '#000001'],
  'fields.place': texts,
  'fields.extra': texts,
  'fields.tags': texts,
  'fields.seo.title': texts,
  'fields.blocks': texts,
}

/** Names that cannot be used, and names of a type that some may not read. */
const foreign = [
  'updatedByUser.email',
  'updatedByUser.displayName',
  'createdByUser.email',
  'createdByUser.roles',
  't0.password',
  'password',
  'secrets.hash',
  'versionHistory.updatedByUser.email',
  'readPerm',
  'packageName',
  'presentation',
  '@categories',
  'categories.name',
  'taxonomies',
  'taxonomies.name',
  'folderId.name',
  'words',
  'text',
  'file',
  'row',
  'tier',
  'body.fields.title',
  'fields',
  'fields.',
  'fields.secret',
  'fields.secret.x',
  'fields.code',
  'fields.only0',
  'fields.only1',
  'fields.seo',
  'fields.blocks.words',
  'fields.extra.secret',
  'fields.place.lat',
  'fields.title.x',
  "fields.title' OR '1'='1",
  '*',
  '__proto__',
  'constructor',
  'fields.__proto__',
]
/** All names that are tried. */
export const names = [...Object.keys(known), ...foreign]
/** All operators of a filter. */
export const operators = FilterOperators.keyof().options

/** The operands of an operator for a name. */
export function operandsOf(name: string, operator: (typeof operators)[number]): unknown[] {
  const values = (Object.hasOwn(known, name) && known[name]) || ['umbra', 'x']
  if (operator === 'exists') return [true, false]
  return operator === 'in' || operator === 'nin' ? [values, []] : values.slice(0, 2)
}

/**
 * Search texts: words of one world, of both and of none, names of categories and folders, and texts
 * that are not words.
 */
export const words = [
  'umbra',
  'zenith',
  'umb',
  'zen umb',
  'umbra 1',
  '"umbra body"',
  '"zenith 1"',
  'amber',
  'body',
  'bodi',
  'all body',
  '"body of water"',
  'crimson',
  'azure cedar',
  'ultramarine',
  'ultramarine umbra',
  'dungeon',
  'colours',
  'never',
  'draft',
  'ada',
  'eve',
  'hidden',
  '"* OR (',
  '',
] as const
