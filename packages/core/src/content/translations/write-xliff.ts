import { checksum } from '../../engine/digest.ts'

/** The versions of XLIFF, with their namespaces. */
export const xliffVersions = {
  '2.1': 'urn:oasis:names:tc:xliff:document:2.0',
  '2.2': 'urn:oasis:names:tc:xliff:document:2.2',
} as const

export type XliffVersion = keyof typeof xliffVersions

/** The start of the sub-state of a segment as long as nobody works on it. */
export const subStatePrefix = 'quire:'

/** What an export says of a translation, to find out who has changed it since. Empty for none. */
export function fingerprint(target: string | null): string {
  return target === null || target === '' ? '' : checksum(target)
}

/** The attributes of a file as a whole. */
export interface XliffHeader {
  readonly version: XliffVersion
  readonly sourceLocale: string
  readonly targetLocale: string
}

/** A text to translate. */
export interface UnitToWrite {
  readonly path: string
  readonly source: string
  /** Null if there is no translation. */
  readonly target: string | null
  /** Whether the translation is one of this source. */
  readonly isCurrent: boolean
}

/** An item with its texts. */
export interface ItemToWrite {
  readonly id: string
  readonly name: string
  readonly units: readonly UnitToWrite[]
}

/** XLIFF with a file for each item and a unit for each text, whose id is the path of the text. */
export async function* xliffText(
  header: XliffHeader,
  items: AsyncIterable<ItemToWrite>,
): AsyncGenerator<string> {
  const { version, sourceLocale, targetLocale } = header
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<xliff xmlns="${xliffVersions[version]}" version="${version}" srcLang="${sourceLocale}" trgLang="${targetLocale}">\n`
  for await (const { id, name, units } of items)
    yield `  <file id="${attributeText(id)}" original="${attributeText(name)}">\n${units.map(unitText).join('')}  </file>\n`
  yield '</xliff>\n'
}

function unitText({ path, source, target, isCurrent }: UnitToWrite): string {
  const state = isCurrent ? 'state="translated"' : 'state="initial"'
  const known = target === null ? 'missing' : isCurrent ? 'current' : 'outdated'
  const subState = [`${subStatePrefix}${known}`, fingerprint(target)].filter(Boolean).join('-')
  const lines = [
    `    <unit id="${attributeText(path)}" xml:space="preserve">`,
    `      <segment ${state} subState="${subState}">`,
    `        <source>${elementText(source)}</source>`,
    ...(target === null ? [] : [`        <target>${elementText(target)}</target>`]),
    '      </segment>',
    '    </unit>',
  ]
  return `${lines.join('\n')}\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Characters that XML cannot have become an element `cp`, as XLIFF provides. */
function elementText(text: string): string {
  return text.replace(
    /[&<>"\r]|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu,
    (character) => {
      const code = character.codePointAt(0) ?? 0
      return entities[character] ?? `<cp hex="${code.toString(16).toUpperCase().padStart(4, '0')}"/>`
    },
  )
}

function attributeText(text: string): string {
  return elementText(text.replace(/[\t\n\r]/g, ' ')).replace(/<cp [^>]*>/g, ' ')
}
