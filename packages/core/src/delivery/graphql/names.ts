import type { ContentType } from '@quire/contract'

/** What a content type is called in a schema. */
export interface TypeNames {
  /** `Article`: the object type; names that are made of it have an underscore, which none of a content type has. */
  readonly object: string
  /** `article` */
  readonly one: string
  /** `articles` */
  readonly many: string
}

/** What the schema itself says. */
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

/** Names for content types: their `apiName`, the same for all time unless one of another type would be the same. */
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

/** English plurals, as far as endings tell them: names that cannot be told are only less pretty. */
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

/** Loads with the first that asks; all after it have the same at once. An import that has nothing left to load takes 6 µs each time. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => (loading ??= load())
}
