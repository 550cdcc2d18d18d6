import type { QueriesRunInput } from '@quire/client'
import { textMembers } from '../frame/search.ts'

/** Conditions on the fields of items, in the grammar of the API: `{ 'fields.price': { gte: 10 } }`. */
export type Conditions = NonNullable<QueriesRunInput['filter']>

/** The branch and the locale of a view on content, as its address says. */
export interface BranchSearch {
  /** The package in which one works; absent: main. */
  in?: string | undefined
  locale?: string | undefined
}

/** What the view of an item shows, as its address says. */
export interface ItemSearch extends BranchSearch {
  /** `on`: the item in the front end, beside the editor. */
  preview?: string | undefined
  /** The member to edit, in dot notation. */
  field?: string | undefined
}

/** Which items a list shows, as its address says. */
export interface ListSearch extends BranchSearch {
  type?: string | undefined
  text?: string | undefined
  status?: string | undefined
  folder?: string | undefined
  /** The service checks what is in it. */
  where?: Conditions | undefined
  /** The state of the translations into the locale. */
  translation?: string | undefined
  sort?: string | undefined
  /** The names of the fields that are columns, with commas; absent: the first short ones. */
  columns?: string | undefined
  cursor?: string | undefined
}

/** The branch in the parameters of an address. */
export function branchSearch(search: Readonly<Record<string, unknown>>): BranchSearch {
  return textMembers(search, ['in', 'locale'])
}

/** The parameters of the view of an item. */
export function itemSearch(search: Readonly<Record<string, unknown>>): ItemSearch {
  return textMembers(search, ['in', 'locale', 'preview', 'field'])
}

/** The filter in the parameters of an address. What it does not know is left out. */
export function listSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const { where } = search
  return {
    ...textMembers(search, [
      'in',
      'locale',
      'type',
      'text',
      'status',
      'folder',
      'translation',
      'sort',
      'columns',
      'cursor',
    ]),
    ...(isConditions(where) && { where }),
  }
}

function isConditions(where: unknown): where is Conditions {
  return typeof where === 'object' && where !== null && Object.keys(where).length > 0
}

/** What a view on a site shows, as its address says. */
export interface SiteSearch extends BranchSearch {
  /** The chosen page or section. */
  node?: string | undefined
  /** The time of the preview, as the browser writes a local one; absent: now. */
  at?: string | undefined
}

/** The part of a site in the parameters of an address. */
export function siteSearch(search: Readonly<Record<string, unknown>>): SiteSearch {
  return textMembers(search, ['in', 'locale', 'node', 'at'])
}
