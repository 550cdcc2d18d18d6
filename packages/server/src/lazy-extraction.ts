import type { Extraction } from '@quire/core/ports'

/**
 * An extraction whose code is loaded on first use: a server that extracts no text never loads it.
 */
export function lazyExtraction(load: () => Promise<Extraction>): Extraction {
  let loading: Promise<Extraction> | undefined
  return {
    extract: async (source, kind) => (await (loading ??= load())).extract(source, kind),
  }
}
