import type { TextWriter } from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { OpenState, State } from './state.ts'

/** All texts are in one scope. */
const scope = ''

/** The texts of the files of a state. */
export function memoryTexts(open: OpenState): TextWriter {
  return {
    get: async (hash) => open().texts.get(scope, hash) ?? null,
    put: async (hash, text) => {
      const { texts } = open()
      if (texts.get(scope, hash) === undefined) texts.set(scope, hash, text)
    },
    sweep: async (part) => sweep(open(), part),
  }
}

function sweep({ texts, blobs }: State, { after, limit }: { after: string; limit: number }) {
  const needed = new Set([...blobs.values(scope)].flat())
  const hashes = [...texts.entries(scope)].map(([hash]) => hash).filter((hash) => hash > after)
  const part = hashes.toSorted(compareText).slice(0, limit)
  const gone = part.filter((hash) => !needed.has(hash))
  for (const hash of gone) texts.delete(scope, hash)
  return { next: part.length < limit ? null : (part.at(-1) ?? null), forgotten: gone.length }
}
