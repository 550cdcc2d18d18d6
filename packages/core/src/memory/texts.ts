import type { TextWriter } from '../ports/index.ts'
import type { OpenState } from './state.ts'

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
  }
}
