import type { Endpoint } from '@quire/contract'
import { AnswerTags } from '@quire/core'

/**
 * The headers in which a cache in front of the service reads cache tags: `Cache-Tag` (Cloudflare,
 * Netlify, Bunny) or `Surrogate-Key` (Fastly).
 */
export const cacheTagHeaders = ['Cache-Tag', 'Surrogate-Key'] as const

/** One of `cacheTagHeaders`. */
export type CacheTagHeader = (typeof cacheTagHeaders)[number]

/** The cache tags of one response, and the header to send them in. */
export interface EdgeTags {
  readonly header: CacheTagHeader
  readonly tags: AnswerTags
}

/** Collects the cache tags of a response; undefined if it has none, whoever asks. */
export function edgeTagsOf(
  header: CacheTagHeader | undefined,
  { method, permission }: Pick<Endpoint, 'method' | 'permission'>,
): EdgeTags | undefined {
  const mayHaveTags = header !== undefined && method === 'GET' && permission === 'published'
  return mayHaveTags ? { header, tags: new AnswerTags() } : undefined
}

// One day: if a purge is lost, the cache sends the old response for that long at most.
const edgeSeconds = 86_400

/**
 * The headers for a cache in front of the service: the tags of a response, and for how long to store
 * it. What browsers do with it does not change. None for a response that not everyone may read, and
 * for one without tags.
 */
export function edgeHeaders(
  edge: EdgeTags | undefined,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  if (!edge || !own['cache-control']?.startsWith('public')) return undefined
  const tags = edge.tags.tags()
  if (tags.length === 0) return undefined
  return edge.header === 'Cache-Tag'
    ? { 'cache-tag': tags.join(','), 'cdn-cache-control': `public, max-age=${edgeSeconds}` }
    : { 'surrogate-key': tags.join(' '), 'surrogate-control': `max-age=${edgeSeconds}` }
}
