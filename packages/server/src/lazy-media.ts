import type { Media } from '@quire/core/ports'

/** Media whose library is loaded on first use: a server that handles no picture never loads it. */
export function lazyMedia(load: () => Promise<Media>): Media {
  let loading: Promise<Media> | undefined
  const media = () => (loading ??= load())
  return {
    probe: async (bytes) => (await media()).probe(bytes),
    make: async (source, recipe) => (await media()).make(source, recipe),
  }
}
