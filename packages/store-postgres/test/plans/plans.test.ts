import {
  askFacets,
  askList,
  askSearch,
  plainContexts,
  planFilters,
  planSorts,
  someContexts,
  usualSorts,
  walkedFilters,
} from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { location, testDatabase } from '../../../../test/services/postgres.ts'
import { exceptions } from './exceptions.ts'
import { openFilled } from './fill.ts'
import { findingsOf, firstColumns, readsOf, stepsOf } from './findings.ts'
import type { Recorded, RecordedStore } from './recorded-store.ts'

async function foundIn({ client }: RecordedStore, statements: readonly Recorded[]) {
  const firsts = await firstColumns(client)
  const found = []
  for (const statement of statements) {
    const findings = findingsOf(await stepsOf(client, statement), firsts)
    found.push(...findings.map((finding) => ({ ...finding, text: statement.text })))
  }
  return found
}

/** The steps that walk a table, or an index without a starting point. */
async function walks(store: RecordedStore, statements: readonly Recorded[]) {
  return (await foundIn(store, statements)).filter(({ what }) => what !== 'sort')
}

const isExcepted = ({ text }: { readonly text: string }) => exceptions.some((one) => one.text.test(text))

/**
 * The flaws in the plans of usual lists with a filter. The index must be used down to the given
 * column.
 */
async function flawsOfUsual(store: RecordedStore, [filter, wanted]: (typeof walkedFilters)[number]) {
  store.takeStatements()
  for (const sort of usualSorts) {
    for (const at of plainContexts)
      // 25 is a usual size of pages, whose plan is for any values. A count would use the index, too.
      for (const limit of [9, 25])
        await askList(store.reader, { filter, sort, page: { limit, count: false } }, at)
  }
  const pages = store.takeStatements().filter(({ text }) => / p\.k0[ ,]/.test(text))
  expect(pages).not.toEqual([])
  const loose = []
  for (const page of pages) {
    const reads = readsOf(await stepsOf(store.client, page)).filter(({ index }) => isOrdered(index))
    if (!reads.some(({ condition }) => condition.includes(`(${wanted} = `))) loose.push(page.text)
  }
  return [...(await foundIn(store, pages)), ...loose]
}

/** Whether an index has heads in the order of lists. */
function isOrdered(index: string): boolean {
  return /^(?:heads_(?:type|updated|created|name|parent|folder)|field_values_order)$/.test(index)
}

describe.skipIf(testDatabase === null)(`the plan of PostgreSQL ${location}`, () => {
  let store: RecordedStore
  let fixed: readonly Recorded[]
  beforeAll(async () => {
    store = await openFilled()
    fixed = store.takeStatements().filter(({ values }) => values === null)
  }, 60_000)
  afterAll(() => store.dispose())

  it('of every fixed statement starts at a position in an index, except for listed exceptions', async () => {
    expect(fixed.length).toBeGreaterThan(70)
    const found = await walks(store, fixed)
    expect(found.filter((finding) => !isExcepted(finding))).toEqual([])
    const needless = exceptions.filter((one) => !found.some(({ text }) => one.text.test(text)))
    expect(needless).toEqual([])
  })

  it('of a list walks no table, whatever its filter and sort', { timeout: 120_000 }, async () => {
    const some = someContexts(1)
    for (const [index, filter] of planFilters.entries()) {
      for (const [location, sort] of planSorts.entries()) {
        if ((index + location) % 3 !== 0) continue
        for (const at of some.next().value) await askList(store.reader, { filter, sort }, at)
      }
    }
    const statements = store.takeStatements()
    expect(statements.length).toBeGreaterThan(300)
    expect(await walks(store, statements)).toEqual([])
  })

  it.each(walkedFilters)('of a usual list does not sort, and uses its index: %j', async (...walked) => {
    expect(await flawsOfUsual(store, walked)).toEqual([])
  })

  it('of a search walks no table', { timeout: 120_000 }, async () => {
    const some = someContexts(4)
    for (const filter of planFilters) {
      for (const at of some.next().value) if (at.text) await askSearch(store.reader, filter, at)
    }
    expect(await walks(store, store.takeStatements())).toEqual([])
  })

  it('of a facet walks no table', { timeout: 120_000 }, async () => {
    const some = someContexts(1)
    for (const filter of planFilters) {
      for (const at of some.next().value) await askFacets(store.reader, filter, at)
    }
    expect(await walks(store, store.takeStatements())).toEqual([])
  })

  const narrowings = [
    { state: 'failed' },
    { kind: 'kind 1' },
    { subject: 'subject 1' },
    { repositoryIds: ['REPO_1', 'REPO_2'] },
    { kind: 'kind 1', subject: 'subject 1', repositoryIds: ['REPO_1'] },
  ] as const

  const flawsOfJobs = async () => {
    store.takeStatements()
    const found = []
    for (const narrowing of narrowings) {
      await store.reader.jobs.list({ ...narrowing, limit: 9 })
      const walked = await walks(store, store.takeStatements())
      // Without a kind, all queued jobs are read.
      found.push(...walked.filter(({ step }) => 'kind' in narrowing || !step.includes(' jobs_queue')))
    }
    return found
  }

  it('of a list of jobs walks no table, and reads all queued jobs only without a kind', async () => {
    expect(await flawsOfJobs()).toEqual([])
  })

  /** Runs `look` while an index is missing. */
  const without = async <T>(index: string, look: () => Promise<T>): Promise<T> => {
    await store.client.query(`BEGIN; DROP INDEX ${index}`)
    try {
      return await look()
    } finally {
      await store.client.query('ROLLBACK')
    }
  }

  it.each([
    ['heads_folder', 2],
    ['heads_updated', 0],
    ['field_values_order', 3],
  ] as const)('is detected as bad when its index is missing: %s', async (index, at) => {
    const walked = walkedFilters[at] ?? [undefined, '']
    expect(await without(index, () => flawsOfUsual(store, walked))).not.toEqual([])
  })

  it.each(['jobs_group', 'jobs_queue'])('is detected as bad when its index is missing: %s', async (index) => {
    expect(await without(index, flawsOfJobs)).not.toEqual([])
  })

  it.each(['edges_head', 'field_values_head', 'heads_id', 'search_rows_branch'])(
    'is detected as bad when its index is missing: %s',
    async (index) => {
      const found = await without(index, () => walks(store, fixed))
      expect(found.some((finding) => !isExcepted(finding))).toBe(true)
    },
  )
})
