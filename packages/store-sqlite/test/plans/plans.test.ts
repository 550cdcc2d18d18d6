import {
  type EntityQuery,
  type Filter,
  type Line,
  type QueryField,
  type Reader,
  type StoreReader,
  type TextQuery,
  categoriesPath,
} from '@quire/core/ports'
import { aDocument, anEntity, indexed, testRepository } from '@quire/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyHead } from '../copy-head.ts'
import { exceptions } from './exceptions.ts'
import { findingsOf, looseSteps } from './findings.ts'
import { type RecordedStore, openRecorded } from './recorded-store.ts'
import { filters, isText, listBase, readers, searched, sorts, usualSorts } from './shapes.ts'

const main: Line = { repositoryId: testRepository, packageId: null }
const inPackage: Line = { repositoryId: testRepository, packageId: 'PACK_1' }

/** Heads of everything that lists look at, on both lines, and so many that no statement is left out for want of rows. */
async function openFilled(): Promise<RecordedStore> {
  const store = await openRecorded()
  await store.write(async (tx) => {
    for (const [index, packageId] of [null, null, null, 'PACK_1', 'PACK_1'].entries()) {
      const id = `CONT_${index}`
      const values = indexed({ price: index, colour: 'a', tags: ['a', 'b'], [categoriesPath]: ['a', 'b'] })
      const search = aDocument({ name: 'Red price', categories: ['a'] })
      const edges = [{ path: 'to', targetId: 'a', onDelete: 'ignore' as const }]
      const put = anEntity({ id, slug: id, packageId, parentId: 'a', values, search, edges })
      await tx.entities.put(put, 0)
    }
  })
  copyHead(store.database, 'CONT_0', 1_100)
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)'
  store.database.exec(`INSERT INTO search_rows (row, head, line) ${many} SELECT i, i, 1 FROM n`)
  return store
}

interface Around {
  readonly line: Line
  readonly reader: Reader
  readonly text: TextQuery | undefined
  readonly isLater: boolean
}

/** Every line, reader and text, on the first page and on a later one. */
const around: readonly Around[] = [main, inPackage].flatMap((line) =>
  readers.flatMap((reader) =>
    searched.flatMap((text) => [false, true].map((isLater) => ({ line, reader, text, isLater }))),
  ),
)

/** Some of them, others each time: all with all would be some 25 000 statements. */
function* someAround(count: number): Generator<readonly Around[], never> {
  for (let at = 0; ; at += 5 * count + 1) {
    yield Array.from({ length: count }, (_, index) => around[(at + 5 * index) % around.length]).filter(
      (one) => one !== undefined,
    )
  }
}

type Query = Pick<EntityQuery, 'sort'> & { filter: Filter | undefined }

async function list({ entities }: StoreReader, { filter, sort }: Query, at: Around): Promise<void> {
  const narrowed = { ...(filter && { filter }), ...(at.text && { text: at.text }) }
  const after = { values: sort.map(({ field }) => ('member' in field && isText(field) ? 'a' : 1)), id: 'a' }
  const query = { ...listBase, reader: at.reader, sort, ...narrowed, ...(at.isLater && { after }) }
  await entities.list(at.line, query)
}

async function search({ entities }: StoreReader, filter: Filter | undefined, at: Around): Promise<void> {
  const after = { tier: 1, row: 5 }
  const query = { ...listBase, reader: at.reader, ...(filter && { filter }), ...(at.isLater && { after }) }
  await entities.search(at.line, { ...query, text: at.text ?? { terms: [] } })
}

const fields: readonly QueryField[] = [
  { member: 'type' },
  { member: 'status' },
  { member: 'parentId' },
  { path: 'colour', list: false },
  { path: categoriesPath, list: true },
]

async function count({ entities }: StoreReader, filter: Filter | undefined, at: Around): Promise<void> {
  const narrowed = { ...(filter && { filter }), ...(at.text && { text: at.text }) }
  const query = { kind: 'item', archived: false, limit: 9, reader: at.reader, ...narrowed } as const
  await entities.facets(at.line, { ...query, fields })
  for (const field of fields) await entities.facets(at.line, { ...query, fields: [field] })
}

function foundIn({ database }: RecordedStore, texts: readonly string[]) {
  return texts.flatMap((text) => findingsOf(database, text).map((finding) => ({ ...finding, text })))
}

/** What walks a table, or an index from no place on. */
const walks = (store: RecordedStore, texts: readonly string[]) =>
  foundIn(store, texts).filter(({ what }) => what !== 'sort')

/** What an index in the order of the list bounds: everything, or a type, a folder, a value; and what of the index is used. */
const walkedFilters: readonly (readonly [Filter | undefined, string])[] = [
  [undefined, 'line=? AND kind=?'],
  [{ field: { member: 'type' }, op: 'eq', value: 'article' }, 'type=?'],
  [{ field: { member: 'parentId' }, op: 'eq', value: 'a' }, 'parent_id=?'],
  [{ field: { path: 'colour', list: false }, op: 'eq', value: 'a' }, 'value=?'],
  [{ field: { path: categoriesPath, list: true }, op: 'eq', value: 'a' }, 'value=?'],
]

/** What is not as it should be in the plans of usual lists with a filter. */
async function flawsOfUsual(store: RecordedStore, [filter, wanted]: (typeof walkedFilters)[number]) {
  store.taken()
  for (const sort of usualSorts) {
    for (const at of around) if (!at.text) await list(store.reader, { filter, sort }, at)
  }
  const texts = store.taken()
  expect(texts).not.toEqual([])
  return [...foundIn(store, texts), ...texts.flatMap((text) => looseSteps(store.database, text, wanted))]
}

describe('the plan', () => {
  let store: RecordedStore
  let fixed: readonly string[]
  beforeAll(async () => {
    store = await openFilled()
    fixed = store.taken()
  })

  it('of every statement with a fixed text starts at a place of an index, but for some with a reason', () => {
    expect(fixed.length).toBeGreaterThan(70)
    const found = foundIn(store, fixed)
    expect(found.filter(({ text }) => !exceptions.some((one) => one.text.test(text)))).toEqual([])
    const needless = exceptions.filter((one) => !found.some(({ text }) => one.text.test(text)))
    expect(needless).toEqual([])
  })

  it('of a list walks no table, whatever it asks for', async () => {
    const some = someAround(1)
    for (const filter of filters) {
      for (const sort of sorts) {
        for (const at of some.next().value) await list(store.reader, { filter, sort }, at)
      }
    }
    const texts = store.taken()
    expect(texts.length).toBeGreaterThan(500)
    expect(walks(store, texts)).toEqual([])
  }, 120_000)

  it.each(walkedFilters)('of a usual list sorts nothing and uses its index: %j', async (...walked) => {
    expect(await flawsOfUsual(store, walked)).toEqual([])
  })

  it('of a search walks no table', async () => {
    for (const filter of filters) {
      for (const at of around) if (at.text) await search(store.reader, filter, at)
    }
    expect(walks(store, store.taken())).toEqual([])
  }, 120_000)

  it('of a facet walks no table, and without a filter an index in its order', async () => {
    const some = someAround(1)
    for (const filter of filters) for (const at of some.next().value) await count(store.reader, filter, at)
    expect(walks(store, store.taken())).toEqual([])
    for (const at of around) {
      if (at.line === main && !at.text) await count(store.reader, undefined, at)
    }
    const grouped = foundIn(store, store.taken()).filter(({ step }) => step.includes('GROUP BY'))
    expect(grouped).toEqual([])
  }, 120_000)
})

describe('a plan that lacks its index', () => {
  it.each([
    ['heads_folder', 2],
    ['heads_type', 1],
    ['heads_updated', 0],
  ] as const)('is found out: %s', async (index, place) => {
    const store = await openFilled()
    store.database.exec(`DROP INDEX ${index}`)
    expect(await flawsOfUsual(store, walkedFilters[place] ?? [undefined, ''])).not.toEqual([])
  })

  it.each(['edges_head', 'field_values_head', 'heads_id'])('is found out: %s', async (index) => {
    const store = await openFilled()
    const fixed = store.taken()
    store.database.exec(`DROP INDEX ${index}`)
    const found = foundIn(store, fixed)
    expect(found.some(({ text }) => !exceptions.some((one) => one.text.test(text)))).toBe(true)
  })
})
