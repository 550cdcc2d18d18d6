import { innerFields, type Field } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { localesOf, viewIn, type LocaleView } from '../../engine/locales.ts'
import { typeOf } from '../types/find.ts'
import { isByLocale } from './fields.ts'
import { TextReader } from './text-reader.ts'

/**
 * The JSON texts of items of a repository, in the locale that the call reads. In a repository
 * without locales, and for all locales, they stay as they are stored.
 */
export async function textsInLocale(
  call: Call,
  repositoryId: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const locales = await localesOf(call, repositoryId)
  const view = locales && viewIn(call, locales)
  if (!view) return texts
  return Promise.all(
    texts.map(async (text) => {
      const { fields } = await typeOf(call, { type: typeIn(text), repositoryId })
      return localizedText(text, fields, view)
    }),
  )
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
export function localizedText(text: string, fields: readonly Field[], view: LocaleView): string {
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
  readonly view: LocaleView
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
