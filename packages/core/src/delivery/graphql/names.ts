import type { ContentType } from '@quire/contract'

/** The names of a content type in a schema. */
export interface TypeNames {
  /**
   * The object type, such as `Article`. Derived names contain an underscore, which no content
   * type's name does.
   */
  readonly object: string
  /** `article` */
  readonly one: string
  /** `articles` */
  readonly many: string
}

/** Types that the schema itself defines. */
const ownTypes: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'Item',
  'OtherItem',
  'User',
  'Category',
  'Rendition',
  'AssetInfo',
  'Geo',
  'Version',
  'SearchResult',
  'JSON',
  'Timestamp',
  'Long',
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
])

const ownFields = ['item', 'items', 'search']

/**
 * Names content types after their `apiName`. Names are stable, except that an underscore is added
 * to one that is in use already.
 */
export function namesOf(types: readonly ContentType[]): ReadonlyMap<string, TypeNames> {
  const inUse = new Set<string>(ownFields)
  const free = (name: string): string => {
    const found: string = inUse.has(name) ? free(`${name}_`) : name
    inUse.add(found)
    return found
  }
  const ones = new Map(types.map(({ name, apiName }) => [name, free(lowerFirst(apiName))]))
  return new Map(
    types.map(({ name, apiName }) => {
      const object = upperFirst(apiName)
      const many = free(plural(lowerFirst(apiName)))
      return [
        name,
        { object: ownTypes.has(object) ? `${object}_` : object, one: ones.get(name) ?? name, many },
      ]
    }),
  )
}

/** The English plural of a word, by its ending. A wrong plural is only less pretty. */
export function plural(word: string): string {
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`
}

/** A name with a capital letter. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/**
 * Loads on the first call and returns the same promise ever after. Repeating an `import()` would
 * take 6 µs each time.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => (loading ??= load())
}
