/** What an entry of a role's rights names: `<repositoryId>[:<type>][@<locale>]`. */
export interface RightsEntry {
  readonly repositoryId: string
  /** The name of a content type; null: all types. */
  readonly type: string | null
  /** A BCP 47 code in its canonical form; null: not limited to a locale. */
  readonly locale: string | null
}

const grammar = /^(?<repositoryId>[^:@]+)(?::(?<type>[^:@]+))?(?:@(?<code>[^:@]+))?$/

/** The one parser of entries. Null: the text is no entry, and grants nothing. */
export function parseRightsEntry(text: string): RightsEntry | null {
  const { repositoryId, type = null, code } = grammar.exec(text)?.groups ?? {}
  if (repositoryId === undefined) return null
  if (code === undefined) return { repositoryId, type, locale: null }
  const locale = canonicalLocale(code)
  return locale === null ? null : { repositoryId, type, locale }
}

/** The text of an entry, one for each thing that it can name: rights are looked up by it. */
export function rightsEntryText({
  repositoryId,
  type = null,
  locale = null,
}: Pick<RightsEntry, 'repositoryId'> & Partial<RightsEntry>): string {
  const named = type === null ? repositoryId : `${repositoryId}:${type}`
  return locale === null ? named : `${named}@${locale}`
}

function canonicalLocale(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null
  } catch {
    return null
  }
}
