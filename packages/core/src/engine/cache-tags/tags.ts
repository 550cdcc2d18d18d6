import { checksum } from '../digest.ts'

/**
 * The cache tags, one for each thing that a public answer can depend on. What an answer depends on
 * is in `answer-tags.ts`, what a change makes out of date in `purge-rules.ts`. A tag has at most 16
 * characters, and is the same in every process.
 */
export const cacheTag = {
  /** Every public answer of a repository. */
  repository: (id: string) => `r-${endOf(id)}`,
  /** What the public sees of an item. */
  item: (id: string) => `i-${endOf(id)}`,
  /** The items of a content type: which there are, in which order, with what content. */
  itemsOfType: (repositoryId: string, type: string) => `l-${checksum(`${repositoryId} ${type}`)}`,
  /** Any item of a repository. */
  anyItem: (repositoryId: string) => `l-${endOf(repositoryId)}`,
  /** The name of a category or taxonomy. */
  category: (id: string) => `c-${endOf(id)}`,
  /** Any category of a repository. */
  anyCategory: (repositoryId: string) => `c-${endOf(repositoryId)}`,
  /** The tree of folders of a repository. */
  folders: (repositoryId: string) => `f-${endOf(repositoryId)}`,
  /** The content types, as far as a repository shows them. */
  types: (repositoryId: string) => `t-${endOf(repositoryId)}`,
  /** What GraphQL of a repository shows, and to whom. */
  graphql: (repositoryId: string) => `g-${endOf(repositoryId)}`,
  /** The rendition presets of a repository. */
  presets: (repositoryId: string) => `m-${endOf(repositoryId)}`,
  /** Every page and file of a site. */
  site: (id: string) => `s-${endOf(id)}`,
  /** What a site serves at one address. */
  address: (siteId: string, address: string) => `p-${checksum(`${siteId} ${address}`)}`,
} as const

/**
 * The last ten characters of an id, which are random. Two ids that end in the same way are only
 * purged together. GraphQL takes any text for an id, which must not get into a header.
 */
function endOf(id: string): string {
  const end = id.slice(-10)
  return /^[0-9A-Z]{10}$/.test(end) ? end : checksum(id)
}
