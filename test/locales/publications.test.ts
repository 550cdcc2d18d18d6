import { deepEqual, partialDeepStrictEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quire-locales-'))
let files = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const codes = ['en', 'de', 'ar'] as const
type Code = (typeof codes)[number]

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
  | { readonly do: 'archive' | 'unarchive' | 'restoreFirst' }

/** What a package does until it is merged, and what happens on main meanwhile. */
interface Merge {
  readonly writes: readonly Write[]
  readonly locales: readonly Code[]
  readonly onMain: readonly Write[]
  readonly isSynced: boolean
}

const aWrite: fc.Arbitrary<Write> = fc.record({
  locale: fc.constantFrom(...codes),
  title: fc.constantFrom('Ink', 'Tinte', 'حبر', 'Pen'),
  price: fc.nat(3),
})
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
      writes: fc.array(aWrite, { maxLength: 2 }),
      locales: some,
      onMain: fc.array(aWrite, { maxLength: 1 }),
      isSynced: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('publish' as const), locales: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unpublish' as const), locales: some }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('archive', 'unarchive', 'restoreFirst') }) },
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

async function apply(api: Api, id: string, change: Change): Promise<boolean> {
  const target = { configId, id }
  const run = async () => {
    if (change.do === 'write') {
      const { locale, title, price } = change
      await api.items.update({ ...target, locale, fields: { title, price } })
    } else if (change.do === 'merge') await merge(api, id, change)
    else if (change.do === 'restoreFirst') await api.items.restore({ ...target, version: 1 })
    else if (change.do === 'publish' || change.do === 'unpublish')
      await api.items[change.do]({ ...target, locales: [...change.locales] })
    else await api.items[change.do](target)
  }
  return run().then(
    () => true,
    () => false,
  )
}

let packages = 0

/** Publishes in some locales by a package. Errors: those of publishing, and conflicts. */
async function merge(api: Api, id: string, { writes, locales, onMain, isSynced }: Merge): Promise<void> {
  const packageName = `package ${++packages}`
  const branch = { repo: configId, packageName }
  const write = (on: object, { locale, title, price }: Write) =>
    api.items.update({ configId, id, ...on, locale, fields: { title, price } })
  await api.packages.create({ repo: configId, name: packageName })
  for (const one of writes) await write({ packageName }, one)
  await api.items.publish({ configId, id, packageName, locales: [...locales] })
  for (const one of onMain) await write({}, one)
  if (isSynced) await api.packages.sync(branch)
  await api.packages.merge(branch)
}

interface Step {
  readonly change: Change
  readonly before: Public
  /** What was public before the item was archived. */
  readonly unarchived: Public
  /** What is public now. */
  readonly fresh: Public
}

/** What is public after a change that succeeded, as far as it follows from what was. */
function expected({ change, before, unarchived, fresh }: Step): Public {
  if (change.do === 'archive') return { en: null, de: null, ar: null }
  if (change.do === 'unarchive') return unarchived
  if (!('locales' in change)) return before
  const one = (code: Code) => {
    if (!change.locales.includes(code)) return before[code]
    return change.do === 'unpublish' ? null : fresh[code]
  }
  return { en: one('en'), de: one('de'), ar: one('ar') }
}

/** The newest version is public in each of the locales. */
async function requireHead(api: Api, id: string, { change, fresh }: Step): Promise<void> {
  const { currentVersion } = await api.items.get({ configId, id })
  const codesToSee = 'locales' in change ? change.locales : []
  for (const code of codesToSee) partialDeepStrictEqual(JSON.parse(fresh[code] ?? ''), { currentVersion })
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
          const list = codes.map((code) => ({ code, name: code, ...(code === 'de' && { fallback: 'en' }) }))
          await api.repositories.create({ name: configId, settings: { locales: { default: 'en', list } } })
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
          let before: Public = { en: null, de: null, ar: null }
          let unarchived = before
          for (const change of changes) {
            const isDone = await apply(api, id, change)
            const fresh = await publicOf(api)
            if (change.do === 'archive' && isDone) unarchived = before
            const step = { change, before, unarchived, fresh }
            deepEqual(fresh, isDone ? expected(step) : before)
            // Archived items can be unpublished, too.
            if (change.do === 'unpublish' && isDone)
              unarchived = {
                ...unarchived,
                ...Object.fromEntries(change.locales.map((code) => [code, null])),
              }
            const isPublished = isDone && (change.do === 'publish' || change.do === 'merge')
            if (isPublished) await requireHead(api, id, step)
            published += Number(isPublished)
            merged += Number(isDone && change.do === 'merge')
            before = fresh
          }
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
