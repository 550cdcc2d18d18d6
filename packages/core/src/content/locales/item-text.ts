import { innerFields, type Field } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import { remember, type Call } from '../../engine/call.ts'
import { localesOf, viewIn, type LocaleChain, type LocaleView } from '../../engine/locales.ts'
import type { HeadState } from '../../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { isByLocale } from './fields.ts'

/** The JSON text of an item. */
export interface ItemText {
  readonly text: string
  /** The head whose stored JSON the text is; absent if it is of another state, or has names in it. */
  readonly head?: HeadState
}

/**
 * The JSON texts of items of a repository, in the locale that the call reads. In a repository
 * without locales, and for all locales, they stay as they are stored.
 */
export async function textsInLocale(
  call: Call,
  repositoryId: string,
  texts: readonly ItemText[],
): Promise<readonly string[]> {
  const locales = await localesOf(call, repositoryId)
  const view = locales && viewIn(call, locales)
  if (!view) return texts.map(({ text }) => text)
  const known = await knownTexts(call, view)
  return Promise.all(
    texts.map(async ({ text, head }) => {
      const found = head && known.get(head)
      if (found !== undefined) return found
      const { fields } = await typeOf(call, { type: typeIn(text), repositoryId })
      const made = localizedText(text, fields, view)
      if (head) known.set(head, made)
      return made
    }),
  )
}

/** Texts of stored heads in one locale. */
export interface KnownTexts {
  get(head: HeadState): string | undefined
  set(head: HeadState, text: string): void
}

// Characters: some ten thousand items of 3 KB, each in one locale. At half, reads that are spread over as
// many items put half of their texts together anew.
const mostText = 32_000_000

// Characters of an entry besides its text.
const othersLength = 200

/**
 * The texts that reads of main put together, until a record changes: the definition of a type, or of
 * locales. A package may have another state with the same revision later, when a change was discarded; and
 * an item that another process purged, when it is imported again.
 */
export async function knownTexts(call: Call, view: LocaleView): Promise<KnownTexts> {
  const { store } = call.environment
  if (call.store !== store || store.dispatch !== undefined) return noTexts
  const texts = await rememberedTexts(call)
  const keyOf = ({ repositoryId, packageId, id, revision }: HeadState) =>
    packageId === null ? `${repositoryId} ${id} ${revision} ${view.tag}` : null
  return {
    get(head) {
      const key = keyOf(head)
      return key === null ? undefined : texts.get(key)
    },
    set(head, text) {
      const key = keyOf(head)
      if (key !== null) texts.set(key, text)
    },
  }
}

/** In a transaction, and where other processes write. */
const noTexts: KnownTexts = { get: () => undefined, set: () => undefined }

/** Forgets the texts, because items were purged: others with their ids begin at revision 1. */
export async function forgetTexts(call: Call): Promise<void> {
  const texts = await rememberedTexts(call)
  texts.clear()
}

function rememberedTexts(call: Call): Promise<LRUCache<string, string>> {
  const sizeCalculation = (text: string) => text.length + othersLength
  return remember(call, 'texts in a locale', async () => new LRUCache({ maxSize: mostText, sizeCalculation }))
}

/** The content type of a stored item. */
function typeIn(text: string): string {
  const reader = new TextReader(text)
  for (const name of reader.members()) {
    const value = reader.take()
    if (name === 'type') return JSON.parse(value)
  }
  return ''
}

/**
 * The text of a stored item with the values of one locale, put together from parts of the stored
 * text: for an item in five languages this takes a tenth of the time that parsing it and writing it
 * again takes.
 */
export function localizedText(text: string, fields: readonly Field[], view: LocaleChain): string {
  const reader = new TextReader(text)
  const reading = { reader, view, fallbacks: new Map<string, string>() }
  for (const name of reader.members()) {
    if (name !== 'fields') {
      reader.skip()
      continue
    }
    const start = text.slice(0, reader.at)
    const values = objectText(fields, 'fields', reading)
    const rest = text.slice(reader.at, -1)
    const others = JSON.stringify(Object.fromEntries(reading.fallbacks))
    const fallbacks = reading.fallbacks.size === 0 ? '' : `,"fallbacks":${others}`
    // Joined at once: a text of many parts is slow to send.
    return [start, values, rest, ',"locale":', JSON.stringify(view.code), fallbacks, '}'].join('')
  }
  return text
}

interface LocaleReader {
  readonly reader: TextReader
  readonly view: LocaleChain
  /** The values that come from another locale, by path. */
  readonly fallbacks: Map<string, string>
}

/** The text of the object at the reader's position. */
function objectText(fields: readonly Field[], path: string, reading: LocaleReader): string {
  const members: string[] = []
  for (const name of reading.reader.members()) {
    const field = fields.find((candidate) => candidate.name === name)
    const value = field ? valueText(field, `${path}.${name}`, reading) : reading.reader.take()
    if (value !== null) members.push(`"${name}":${value}`)
  }
  return `{${members.join(',')}}`
}

/** The text of the value of a field at the reader's position; null if the locale shows none. */
function valueText(field: Field, path: string, reading: LocaleReader): string | null {
  const { reader } = reading
  if (isByLocale(field)) return localeText(path, reading)
  const inner = innerFields(field)
  if (inner.length === 0) return reader.take()
  const entryText = (at: string): string => {
    if (reader.sign !== '{') return reader.take()
    const found = inner.find(({ variant }) => variant === null || variant === variantAt(reader))
    return found ? objectText(found.fields, at, reading) : reader.take()
  }
  if (reader.sign !== '[') return entryText(path)
  const entries: string[] = []
  for (const index of reader.entries()) entries.push(entryText(`${path}.${index}`))
  return `[${entries.join(',')}]`
}

/** The `type` of the block at the reader's position, which stays there. */
function variantAt({ text, at }: TextReader): unknown {
  const ahead = new TextReader(text, at)
  for (const name of ahead.members()) {
    const value = ahead.take()
    if (name === 'type') return JSON.parse(value)
  }
  return undefined
}

/** The text of the first value of the locale's chain. */
function localeText(path: string, { reader, view: { code, chain }, fallbacks }: LocaleReader): string | null {
  if (reader.sign !== '{') {
    reader.skip()
    return null
  }
  const values = new Map<string, string>()
  for (const name of reader.members()) {
    const value = reader.take()
    if (value !== 'null') values.set(name, value)
  }
  const from = chain.find((candidate) => values.has(candidate))
  if (from === undefined) return null
  if (from !== code) fallbacks.set(path, from)
  return values.get(from) ?? null
}

/**
 * Walks through a JSON text that `JSON.stringify` made, so it has no white space. Long strings are
 * passed over by native search, which is why this is faster than parsing.
 */
class TextReader {
  readonly text: string
  /** The position of the next value. */
  at: number

  constructor(text: string, at = 0) {
    this.text = text
    this.at = at
  }

  /**
   * Yields the names of the members of the object at the current position. Whoever takes one passes
   * over its value.
   */
  *members(): Generator<string> {
    this.at += 1
    while (this.text[this.at] !== '}') {
      if (this.text[this.at] === ',') this.at += 1
      const name = this.take()
      this.at += 1
      yield name.slice(1, -1)
    }
    this.at += 1
  }

  /** Yields the index of each entry of the list at the current position, like `members`. */
  *entries(): Generator<number> {
    this.at += 1
    for (let index = 0; this.text[this.at] !== ']'; index++) {
      if (this.text[this.at] === ',') this.at += 1
      yield index
    }
    this.at += 1
  }

  /** The sign at the current position. */
  get sign(): string | undefined {
    return this.text[this.at]
  }

  /** The text of the value at the current position, which is passed over. */
  take(): string {
    const from = this.at
    this.skip()
    return this.text.slice(from, this.at)
  }

  /** Passes over the value at the current position. */
  skip(): void {
    const { sign } = this
    if (sign === '"') this.at = this.#endOfString()
    else if (sign === '{' || sign === '[') this.#skipNested()
    else while (!',}]'.includes(this.sign ?? ',')) this.at += 1
  }

  #skipNested(): void {
    let depth = 0
    do {
      const { sign } = this
      if (sign === '"') this.at = this.#endOfString()
      else {
        if (sign === '{' || sign === '[') depth += 1
        if (sign === '}' || sign === ']') depth -= 1
        this.at += 1
      }
    } while (depth > 0)
  }

  /** The position after the string at the current position. */
  #endOfString(): number {
    for (let end = this.text.indexOf('"', this.at + 1); ; end = this.text.indexOf('"', end + 1)) {
      let escapes = 0
      while (this.text[end - 1 - escapes] === '\\') escapes += 1
      if (escapes % 2 === 0) return end + 1
    }
  }
}
