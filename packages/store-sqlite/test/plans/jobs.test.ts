import { describe, expect, it } from 'vitest'
import { findingsOf, readsOf } from './findings.ts'
import { type RecordedStore, openRecorded } from './recorded-store.ts'

/** A store, and the statements of a queue that begin with some words. */
async function openQueue(words: string): Promise<{ store: RecordedStore; texts: readonly string[] }> {
  const store = await openRecorded()
  return { store, texts: store.accepted().filter((text) => text.startsWith(words)) }
}

const index = 'SEARCH jobs USING COVERING INDEX jobs_queue'

describe('the plan of a claim', () => {
  it('looks at the index of what is queued alone, and never at more of it than a subject', async () => {
    const { store, texts } = await openQueue('WITH RECURSIVE firsts (subject')
    expect(texts).toHaveLength(1)
    expect(texts.flatMap((text) => readsOf(store.database, text, 'jobs'))).toEqual([
      `${index} (kind=?)`,
      `${index} (kind=? AND subject>?)`,
      `${index} (kind=? AND subject=? AND run_at<?)`,
    ])
    const found = texts.flatMap((text) => findingsOf(store.database, text))
    expect(found.filter(({ what }) => what !== 'sort')).toEqual([])
  })

  it('is found out when it lacks its index', async () => {
    const { store, texts } = await openQueue('WITH RECURSIVE firsts (subject')
    store.database.exec('DROP INDEX jobs_queue')
    expect(texts.flatMap((text) => readsOf(store.database, text, 'jobs'))).not.toContain(`${index} (kind=?)`)
  })
})

describe('the plan of when the next job is due', () => {
  it('looks one subject of a kind up after the other, in the index of what is queued', async () => {
    const { store, texts } = await openQueue('WITH RECURSIVE firsts (kind')
    expect(texts).toHaveLength(1)
    expect(texts.flatMap((text) => readsOf(store.database, text, 'jobs'))).toEqual([
      `${index} (kind=?)`,
      `${index} (kind=? AND subject>?)`,
    ])
  })
})

/** The statements of lists, and those that count what lists have. */
async function openLists() {
  const { store, texts } = await openQueue('WITH RECURSIVE kinds ')
  const [counts, lists] = [true, false].map((counts) =>
    texts.filter((text) => text.includes(' SELECT count(*) FROM ') === counts),
  )
  return { store, lists: lists ?? [], counts: counts ?? [] }
}

describe('the plan of a list of jobs', () => {
  it('looks one kind, state and repository up after the other, in an index that goes on by id, and at what is queued', async () => {
    const { store, lists } = await openLists()
    expect(lists).toHaveLength(8)
    for (const text of lists) expect(looseReads(store, text)).toEqual([])
  })

  it('is no other for its count, which goes through a group from its beginning', async () => {
    const { store, counts } = await openLists()
    expect(counts).toHaveLength(8)
    for (const text of counts) expect(looseReads(store, text)).toEqual([])
  })

  it.each([
    ['jobs_group', 4],
    ['jobs_subject', 4],
    ['jobs_queue', 8],
  ] as const)('is found out when it lacks its index: %s', async (dropped, loose) => {
    const { store, lists, counts } = await openLists()
    store.database.exec(`DROP INDEX ${dropped}`)
    for (const texts of [lists, counts])
      expect(texts.filter((text) => looseReads(store, text).length > 0)).toHaveLength(loose)
  })
})

/** The reads of a list that are neither one look for a kind or repository, nor a group by id, nor what is queued, nor the jobs that are shown. */
function looseReads({ database }: RecordedStore, text: string): readonly string[] {
  const [name, scope] = text.includes('"jobs"."subject" = +?')
    ? ['jobs_subject', 'subject=? AND ']
    : ['jobs_group', '']
  const used = `SEARCH jobs USING COVERING INDEX ${name}`
  const tight = [
    scope === '' ? used : `${used} (subject=?)`,
    `${used} (${scope}kind>?)`,
    `${used} (${scope}kind=? AND state=?)`,
    `${used} (${scope}kind=? AND state=? AND repository_id>?)`,
    `${used} (${scope}kind=? AND state=? AND repository_id=? AND id<?)`,
    `${used} (${scope}kind=? AND state=? AND repository_id=?)`,
    queuedRead(text),
    'SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (id=?)',
  ]
  return readsOf(database, text, 'jobs').filter((read) => !tight.includes(read))
}

/** How a list looks at what is queued: at no more than its kind and its subject, where it names them. */
function queuedRead(text: string): string {
  const [named, inSubject] = ['kind', 'subject'].map((column) => text.includes(`"jobs"."${column}" = +?`))
  if (!named) return 'SCAN jobs USING COVERING INDEX jobs_queue'
  return inSubject ? `${index} (kind=? AND subject=?)` : `${index} (kind=?)`
}
