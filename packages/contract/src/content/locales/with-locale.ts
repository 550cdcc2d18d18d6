import type { Api } from '../../api/index.ts'
import type { InLocale } from '../../api/typed-item.ts'

/** The operations on content that take a locale. A test compares them with the contract. */
export const inLocale = {
  assets: ['create', 'createFromUrl'],
  items: ['getBySlug', 'list', 'get', 'preview', 'create', 'update'],
  published: ['items', 'item', 'itemBySlug'],
  queries: ['run'],
} as const

/** An `Api` of any content types. */
type Groups = Readonly<Record<keyof typeof inLocale, object>>

type Operation = (input: object, options?: object) => unknown

/**
 * The same API, whose reads and writes of content are in a locale, unless their input names another.
 * Works with a client, in a process and with the mock. With `*`, fields have the types of all locales.
 *
 * @example
 * const german = withLocale(quire, 'de')
 * await german.items.get({ configId: 'magazine', id })
 */
export function withLocale<C extends object>(api: Api<C>, locale: '*'): Api<InLocale<C, '*'>>
export function withLocale<A extends Groups>(api: A, locale: string): A
export function withLocale<A extends Groups>(api: A, locale: string): A {
  const groups = Object.entries(inLocale).map(([group, names]) => {
    const operations = api[group as keyof typeof inLocale] as unknown as Readonly<Record<string, Operation>>
    const localized = names.map((name): [string, Operation] => [
      name,
      (input, options) => operations[name]?.({ locale, ...input }, options),
    ])
    return [group, { ...operations, ...Object.fromEntries(localized) }]
  })
  // Each group is replaced by a copy with the same operations.
  return { ...api, ...Object.fromEntries(groups) } as A
}
