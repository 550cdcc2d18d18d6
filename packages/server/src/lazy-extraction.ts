import type { Extraction } from '@quire/core/ports'

/** An extraction whose code is loaded when the first text is looked for: a start that takes in no file pays nothing for it. */
export function lazyExtraction(load: () => Promise<Extraction>): Extraction {
  let loading: Promise<Extraction> | undefined
  return {
    extract: async (source, kind) => (await (loading ??= load())).extract(source, kind),
  }
}
