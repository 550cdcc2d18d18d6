import { deepEqual, equal, partialDeepStrictEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api, Item } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import JSZip from 'jszip'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quire-locales-'))
let files = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const codes = ['en', 'de', 'ar'] as const
type Code = (typeof codes)[number]

const list = codes.map((code) => ({ code, name: code, ...(code === 'de' && { fallback: 'en' }) }))
const locales = { default: 'en', list }

const configId = 'magazine'
const ref = { configId, slug: 'ink' }

/** A write of the values of one locale, and of one that all share. */
interface Write {
  readonly locale: Code
  readonly title: string
  readonly price: number
}

/** A change of the only item. */
type Change =
  | ({ readonly do: 'write' } & Write)
  | { readonly do: 'publish' | 'unpublish'; readonly locales: readonly Code[] }
  | ({ readonly do: 'merge' } & Merge)
  | { readonly do: 'archive' | 'unarchive' | 'delete' | 'undelete' | 'restoreFirst' }

/** What a package does until it is merged, and what happens on main meanwhile. */
interface Merge {
  /** Changes in the package, of which none says what is published. */
  readonly steps: readonly PackageStep[]
  /** The locales in which the package publishes at last, and what it does after that. */
  readonly locales: readonly Code[]
  readonly isUndone: boolean
  readonly last: 'archive' | 'delete' | null
  readonly onMain: readonly Change[]
  readonly isSynced: boolean
}

type PackageStep = Write | 'archive' | 'unarchive' | 'delete' | 'undelete' | 'confirm'

const aWrite: fc.Arbitrary<Write> = fc.record({
  locale: fc.constantFrom(...codes),
  title: fc.constantFrom('Ink', 'Tinte', 'حبر', 'Pen'),
  price: fc.nat(3),
})
const aPackageStep: fc.Arbitrary<PackageStep> = fc.oneof(
  { weight: 3, arbitrary: aWrite },
  { weight: 2, arbitrary: fc.constantFrom('archive', 'unarchive', 'delete', 'undelete', 'confirm') },
)
const some = fc.subarray([...codes], { minLength: 1 })
const aChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: aWrite.map((write) => ({ do: 'write' as const, ...write })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('merge' as const),
      steps: fc.array(aPackageStep, { maxLength: 3 }),
      locales: fc.subarray([...codes]),
      isUndone: fc.boolean(),
      last: fc.constantFrom(null, null, 'archive' as const, 'delete' as const),
      onMain: fc.array(
        fc.oneof(
          aWrite.map((write) => ({ do: 'write' as const, ...write })),
          fc.record({ do: fc.constantFrom('publish' as const, 'unpublish' as const), locales: some }),
        ),
        { maxLength: 2 },
      ),
      isSynced: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('publish' as const), locales: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unpublish' as const), locales: some }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('archive', 'unarchive', 'delete', 'undelete', 'restoreFirst'),
    }),
  },
)

/** What everybody gets of the item in each locale: the text of its answer, or null. */
type Public = Readonly<Record<Code, string | null>>

async function publicOf(api: Api): Promise<Public> {
  const one = async (locale: Code) => {
    const [byId, listed] = await Promise.all([
      api.published.itemBySlug({ ...ref, locale }).catch(() => null),
      api.published.items({ configId, locale }),
    ])
    deepEqual(listed.items, byId ? [byId] : [])
    // The names that a filter and a search compare are those of the answer.
    const title = byId?.fields?.['title']
    if (typeof title === 'string') {
      const filtered = await api.published.items({ configId, locale, filter: { 'fields.title': title } })
      const searched = await api.published.items({ configId, locale, text: title })
      deepEqual([filtered.count, searched.count], [1, 1])
    }
    return byId && JSON.stringify(byId)
  }
  return { en: await one('en'), de: await one('de'), ar: await one('ar') }
}

/** An item, and what is public of it as far as that follows from what was done. */
class Model {
  readonly #api: Api
  readonly #id: string
  /** What is public in a locale while the item is neither archived nor deleted; undefined: not seen yet. */
  readonly #shown: Record<Code, string | null | undefined> = { en: null, de: null, ar: null }
  published = 0
  merged = 0

  constructor(api: Api, id: string) {
    this.#api = api
    this.#id = id
  }

  /** Makes a change, which may fail, and requires that nothing else is public than before. */
  async apply(change: Change): Promise<void> {
    const named = await this.#change(change).catch((): readonly Code[] => [])
    await this.#require(named, change.do === 'unpublish')
  }

  /** Returns the locales in which something else is public since. */
  async #change(change: Change): Promise<readonly Code[]> {
    const target = { configId, id: this.#id }
    if (change.do === 'merge') return this.#merge(change)
    if (change.do === 'write') {
      const { locale, title, price } = change
      await this.#api.items.update({ ...target, locale, fields: { title, price } })
    } else if (change.do === 'restoreFirst') await this.#api.items.restore({ ...target, version: 1 })
    else if (change.do === 'publish' || change.do === 'unpublish') {
      await this.#api.items[change.do]({ ...target, locales: [...change.locales] })
      return change.locales
    } else await this.#api.items[change.do](target)
    return []
  }

  /** Publishes in some locales by a package, or in none. Errors: conflicts, and those of publishing. */
  async #merge({ steps, locales, isUndone, last, onMain, isSynced }: Merge): Promise<readonly Code[]> {
    const packageName = `package ${++packages}`
    const branch = { repo: configId, packageName }
    const on = { configId, id: this.#id, packageName }
    await this.#api.packages.create({ repo: configId, name: packageName })
    for (const step of steps) await stepIn(this.#api, on, step).catch(() => undefined)
    if (locales.length > 0) await this.#api.items.publish({ ...on, locales: [...locales] })
    if (isUndone && locales.length > 0) await this.#api.items.unpublish({ ...on, locales: [...locales] })
    if (last) await this.#api.items[last](on)
    for (const one of onMain) await this.apply(one)
    if (isSynced) await this.#api.packages.sync(branch)
    await this.#api.packages.merge(branch)
    this.merged += 1
    return isUndone || last === 'delete' ? [] : locales
  }

  async #require(named: readonly Code[], isUnpublished: boolean): Promise<void> {
    const fresh = await publicOf(this.#api)
    const item = await this.#api.items.get({ configId, id: this.#id }).catch(() => null)
    const isHidden = item === null || item.status === 'archived'
    for (const code of named) {
      this.published += 1
      this.#shown[code] = isUnpublished ? null : undefined
      // The newest version is public there.
      if (!isUnpublished && !isHidden)
        partialDeepStrictEqual(JSON.parse(fresh[code] ?? ''), { currentVersion: item.currentVersion })
    }
    for (const code of codes) {
      const shownIn = isHidden ? null : (this.#shown[code] ??= fresh[code])
      equal(fresh[code], shownIn, code)
    }
  }
}

let packages = 0

interface OnPackage {
  readonly configId: string
  readonly id: string
  readonly packageName: string
}

async function stepIn(api: Api, on: OnPackage, step: PackageStep): Promise<unknown> {
  if (step === 'confirm') {
    const { configId: _, id: itemId, packageName } = on
    return api.translations.confirm({ configId, itemId, packageName, locale: 'de', paths: ['fields.title'] })
  }
  if (typeof step === 'string') return api.items[step](on)
  const { locale, title, price } = step
  return api.items.update({ ...on, locale, fields: { title, price } })
}

/** What everybody sees of the item, without what depends on how many versions there were. */
function comparable(publicly: Public): object {
  const one = (text: string | null) => {
    if (text === null) return null
    const { fields, locale, fallbacks, publishedDate } = JSON.parse(text) as Item
    return { fields, locale, fallbacks, publishedDate }
  }
  return { en: one(publicly.en), de: one(publicly.de), ar: one(publicly.ar) }
}

/** The file of an export and of an export of where it was imported, and what is public there. */
async function moved(api: Api, { history }: { history: boolean }) {
  const file = await (await api.repositories.export({ id: configId, history })).bytes()
  const quire = createQuire({ store: createMemoryStore() })
  try {
    const other = quire.as(systemIdentity('test'))
    await other.repositories.create({ name: configId, settings: { locales } })
    await other.repositories.create({ name: 'plain' })
    const send = { file: new File([file], 'magazine.zip') }
    partialDeepStrictEqual(await other.repositories.import({ id: configId, ...send }), { refuse: [] })
    const again = await (await other.repositories.export({ id: configId, history })).bytes()
    const publicly = await publicOf(other)
    await quire.as(systemIdentity('test')).items.delete({ configId, id: await idOf(other) })
    await other.repositories.import({ id: 'plain', ...send })
    const plain = await other.published.itemBySlug({ ...ref, configId: 'plain' }).catch(() => null)
    return { file, again, publicly, plain }
  } finally {
    await quire.close()
  }
}

const idOf = async (api: Api) => (await api.items.getBySlug(ref)).id ?? ''

/** The lines of the members that tell of the items, without the times at which translations were confirmed. */
async function linesOf(file: Uint8Array): Promise<string> {
  const members = Object.values((await JSZip.loadAsync(file)).files)
  const texts = members
    .filter(({ name }) => /^(content|versions)\//.test(name))
    .map(async (member) => `${member.name}\n${await member.async('text')}`)
  return (await Promise.all(texts)).join('\n').replaceAll(/,"translations":\[[^\]]*\]/g, '')
}

const stores: readonly { name: string; numRuns: number; open: () => Promise<Store> }[] = [
  { name: 'memory', numRuns: 60, open: async () => createMemoryStore() },
  { name: 'SQLite', numRuns: 20, open: async () => openSqliteStore({ file: join(folder, `${++files}.db`) }) },
]

describe.each(stores)('what is public in a locale, on $name', ({ numRuns, open }) => {
  it('changes only by publishing that locale, whatever happens to the item', async () => {
    let [published, merged] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(aChange, { minLength: 5, maxLength: 14 }), async (changes) => {
        const quire = createQuire({ store: await open() })
        try {
          const api = quire.as(systemIdentity('test'))
          await api.repositories.create({ name: configId, settings: { locales } })
          await api.types.create({
            name: 'article',
            fields: [
              { name: 'title', kind: 'text', localized: true },
              { name: 'price', kind: 'number' },
            ],
          })
          const { id } = await api.items.create({
            repositoryId: configId,
            type: 'article',
            name: 'Ink',
            slug: 'ink',
            fields: { title: 'First', price: 9 },
          })
          const model = new Model(api, id)
          for (const change of changes) await model.apply(change)
          published += model.published
          merged += model.merged
          const before = await publicOf(api)
          const isThere = await api.items.get({ configId, id }).then(
            () => true,
            () => false,
          )
          if (!isThere) return
          const { file, again, publicly, plain } = await moved(api, { history: changes.length % 2 === 0 })
          deepEqual(comparable(publicly), comparable(before))
          expect(await linesOf(again)).toBe(await linesOf(file))
          const { title, ...others } = before.en === null ? {} : (JSON.parse(before.en) as Item).fields
          deepEqual(
            plain && { ...plain.fields },
            before.en && { ...(title === undefined ? {} : { title }), ...others },
          )
        } finally {
          await quire.close()
        }
      }),
      { numRuns, seed: 20_261_127 },
    )
    expect(published).toBeGreaterThan(numRuns)
    expect(merged).toBeGreaterThan(numRuns / 2)
  })
})
