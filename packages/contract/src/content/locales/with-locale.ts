import type { Api } from '../../api/index.ts'
import type { InLocale } from '../../api/typed-item.ts'

/** The operations on content that take a locale. A test compares them with the contract. */
export const inLocale = {
  assets: ['create', 'createFromUrl'],
  items: ['getBySlug', 'list', 'get', 'preview', 'create', 'update', 'exportRows', 'importRows'],
  published: ['items', 'item', 'itemBySlug'],
  queries: ['run', 'runSaved'],
} as const

type LocalizedGroup = keyof typeof inLocale

/** An `Api` of any content types. */
type Groups = Readonly<Record<LocalizedGroup, object>>

/** What is in one locale at a time: published versions, and the rows of a table. */
const inOne = ['published', 'exportRows', 'importRows'] as const

type InOne = (typeof inOne)[number]
type GroupInAll = Exclude<LocalizedGroup, InOne>

/** An API whose operations of `inLocale` have the values of all locales. */
export type InAllLocales<C extends object> = {
  readonly [G in keyof Api<C>]: G extends GroupInAll
    ? SomeOf<Api<C>[G], Api<InLocale<C, '*'>>[G], Exclude<(typeof inLocale)[G][number], InOne>>
    : Api<C>[G]
}

/** The operations of a group; those that are named come from another one. */
type SomeOf<Group, Other, Names> = {
  readonly [O in keyof Group]: O extends Names & keyof Other ? Other[O] : Group[O]
}

type Operation = (input: object, options?: object) => unknown

/**
 * The same API, whose reads and writes of content are in a locale, unless their input names another.
 * Works with a client, in a process and with the mock.
 *
 * With `*` they have the values of all locales, also for the compiler: which then does not know of an
 * input that names another locale. Rows, and what is published, are in one locale at a time, as without
 * this.
 *
 * @example
 * const german = withLocale(quire, 'de')
 * await german.items.get({ configId: 'magazine', id })
 */
export function withLocale<C extends object>(api: Api<C>, locale: '*'): InAllLocales<C>
export function withLocale<A extends Groups>(api: A, locale: string): A
export function withLocale<A extends Groups>(api: A, locale: string): A {
  const isConcerned = (name: string) => locale !== '*' || !inOne.some((one) => one === name)
  const groups = Object.entries(inLocale).map(([group, names]) => {
    const operations = api[group as LocalizedGroup] as unknown as Readonly<Record<string, Operation>>
    const concerned = isConcerned(group) ? names.filter(isConcerned) : []
    const localized = concerned.map((name): [string, Operation] => [
      name,
      (input, options) => operations[name]?.({ locale, ...input }, options),
    ])
    return [group, { ...operations, ...Object.fromEntries(localized) }]
  })
  // Each group is replaced by a copy with the same operations.
  return { ...api, ...Object.fromEntries(groups) } as A
}
