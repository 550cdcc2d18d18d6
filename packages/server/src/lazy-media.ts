import type { Media } from '@quire/core/ports'

/** Media whose library is loaded when the first picture is looked at: a start that serves no picture pays nothing for it. */
export function lazyMedia(load: () => Promise<Media>): Media {
  let loading: Promise<Media> | undefined
  const media = () => (loading ??= load())
  return {
    probe: async (bytes) => (await media()).probe(bytes),
    make: async (source, recipe) => (await media()).make(source, recipe),
  }
}
