import {
  queryContexts,
  askFacets,
  askList,
  askSearch,
  plainContexts,
  planFilters,
  planSorts,
  someContexts,
  usualSorts,
  walkedFilters,
  writePlanHeads,
} from '@quire/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyHead } from '../copy-head.ts'
import { exceptions } from './exceptions.ts'
import { findingsOf, looseSteps } from './findings.ts'
import { type RecordedStore, openRecorded } from './recorded-store.ts'

/**
 * Heads with everything that lists read, on both branches, and enough rows that every statement is
 * run.
 */
async function openFilled(): Promise<RecordedStore> {
  const store = await openRecorded()
  await store.write(writePlanHeads)
  copyHead(store.database, 'CONT_0', 1_100)
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)'
  store.database.exec(`INSERT INTO search_rows (row, head, branch) ${many} SELECT i, i, 1 FROM n`)
  return store
}

function foundIn({ database }: RecordedStore, texts: readonly string[]) {
  return texts.flatMap((text) => findingsOf(database, text).map((finding) => ({ ...finding, text })))
}

/** The steps that walk a table, or an index without a starting point. */
const walks = (store: RecordedStore, texts: readonly string[]) =>
  foundIn(store, texts).filter(({ what }) => what !== 'sort')

/** The flaws in the plans of usual lists with a filter. */
async function flawsOfUsual(store: RecordedStore, [filter, wanted]: (typeof walkedFilters)[number]) {
  store.takeTexts()
  for (const sort of usualSorts) {
    for (const at of queryContexts) if (!at.text) await askList(store.reader, { filter, sort }, at)
  }
  const texts = store.takeTexts()
  expect(texts).not.toEqual([])
  return [
    ...foundIn(store, texts),
    ...texts.flatMap((text) => looseSteps(store.database, text, `${wanted}=?`)),
  ]
}

describe('the plan', () => {
  let store: RecordedStore
  let fixed: readonly string[]
  beforeAll(async () => {
    store = await openFilled()
    fixed = store.takeTexts()
  })

  it('of every fixed statement starts at a position in an index, except for listed exceptions', () => {
    expect(fixed.length).toBeGreaterThan(70)
    const found = foundIn(store, fixed)
    expect(found.filter(({ text }) => !exceptions.some((one) => one.text.test(text)))).toEqual([])
    const needless = exceptions.filter((one) => !found.some(({ text }) => one.text.test(text)))
    expect(needless).toEqual([])
  })

  it('of a list walks no table, whatever its filter and sort', async () => {
    const some = someContexts(1)
    for (const filter of planFilters) {
      for (const sort of planSorts) {
        for (const at of some.next().value) await askList(store.reader, { filter, sort }, at)
      }
    }
    const texts = store.takeTexts()
    expect(texts.length).toBeGreaterThan(500)
    expect(walks(store, texts)).toEqual([])
  }, 120_000)

  it.each(walkedFilters)('of a usual list does not sort, and uses its index: %j', async (...walked) => {
    expect(await flawsOfUsual(store, walked)).toEqual([])
  })

  it('of a search walks no table', async () => {
    for (const filter of planFilters) {
      for (const at of queryContexts) if (at.text) await askSearch(store.reader, filter, at)
    }
    expect(walks(store, store.takeTexts())).toEqual([])
  }, 120_000)

  it('of a facet walks no table, and without a filter walks an index in order', async () => {
    const some = someContexts(1)
    for (const filter of planFilters)
      for (const at of some.next().value) await askFacets(store.reader, filter, at)
    expect(walks(store, store.takeTexts())).toEqual([])
    for (const at of plainContexts) await askFacets(store.reader, undefined, at)
    const grouped = foundIn(store, store.takeTexts()).filter(({ step }) => step.includes('GROUP BY'))
    expect(grouped).toEqual([])
  }, 120_000)
})

describe('a plan whose index is missing', () => {
  it.each([
    ['heads_folder', 2],
    ['heads_type', 1],
    ['heads_updated', 0],
  ] as const)('is detected as bad: %s', async (index, scope) => {
    const store = await openFilled()
    store.database.exec(`DROP INDEX ${index}`)
    expect(await flawsOfUsual(store, walkedFilters[scope] ?? [undefined, ''])).not.toEqual([])
  })

  it.each(['edges_head', 'field_values_head', 'heads_id'])('is detected as bad: %s', async (index) => {
    const store = await openFilled()
    const fixed = store.takeTexts()
    store.database.exec(`DROP INDEX ${index}`)
    const found = foundIn(store, fixed)
    expect(found.some(({ text }) => !exceptions.some((one) => one.text.test(text)))).toBe(true)
  })
})
