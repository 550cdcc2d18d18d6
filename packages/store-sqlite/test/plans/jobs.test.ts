import { describe, expect, it } from 'vitest'
import { findingsOf, readsOf } from './findings.ts'
import { type RecordedStore, openRecorded } from './recorded-store.ts'

/** A store, and its statements that begin with `words`. */
async function openQueue(words: string): Promise<{ store: RecordedStore; texts: readonly string[] }> {
  const store = await openRecorded()
  return { store, texts: store.takeTexts().filter((text) => text.startsWith(words)) }
}

const index = 'SEARCH jobs USING COVERING INDEX jobs_queue'

describe('the plan of a claim of jobs', () => {
  it('reads only the index of queued jobs, and never more of it than a subject', async () => {
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

  it('is detected as bad when its index is missing', async () => {
    const { store, texts } = await openQueue('WITH RECURSIVE firsts (subject')
    store.database.exec('DROP INDEX jobs_queue')
    expect(texts.flatMap((text) => readsOf(store.database, text, 'jobs'))).not.toContain(`${index} (kind=?)`)
  })
})

describe('the plan of the look-up of the next due job', () => {
  it('looks up one subject of a kind after the other in the index of queued jobs', async () => {
    const { store, texts } = await openQueue('WITH RECURSIVE firsts (kind')
    expect(texts).toHaveLength(1)
    expect(texts.flatMap((text) => readsOf(store.database, text, 'jobs'))).toEqual([
      `${index} (kind=?)`,
      `${index} (kind=? AND subject>?)`,
    ])
  })
})

/** The statements of lists, and those that count their jobs. */
async function openLists() {
  const { store, texts } = await openQueue('WITH RECURSIVE kinds ')
  const [counts, lists] = [true, false].map((counts) =>
    texts.filter((text) => text.includes(' SELECT count(*) FROM ') === counts),
  )
  return { store, lists: lists ?? [], counts: counts ?? [] }
}

describe('the plan of a list of jobs', () => {
  it('looks up one kind, state and repository after the other in an index that continues with the id, and reads queued jobs', async () => {
    const { store, lists } = await openLists()
    expect(lists).toHaveLength(8)
    for (const text of lists) expect(looseReads(store, text)).toEqual([])
  })

  it('is the same for its count, which walks a group from its start', async () => {
    const { store, counts } = await openLists()
    expect(counts).toHaveLength(8)
    for (const text of counts) expect(looseReads(store, text)).toEqual([])
  })

  it.each([
    ['jobs_group', 4],
    ['jobs_subject', 4],
    ['jobs_queue', 8],
  ] as const)('is detected as bad when its index is missing: %s', async (dropped, loose) => {
    const { store, lists, counts } = await openLists()
    store.database.exec(`DROP INDEX ${dropped}`)
    for (const texts of [lists, counts])
      expect(texts.filter((text) => looseReads(store, text).length > 0)).toHaveLength(loose)
  })
})

/**
 * The reads of a list other than the intended ones: a look-up of a kind or repository, a group by
 * id, the queued jobs, and the jobs of the page.
 */
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

/**
 * The intended read of queued jobs: limited to the kind and the subject, if the list names them.
 */
function queuedRead(text: string): string {
  const [named, inSubject] = ['kind', 'subject'].map((column) => text.includes(`"jobs"."${column}" = +?`))
  if (!named) return 'SCAN jobs USING COVERING INDEX jobs_queue'
  return inSubject ? `${index} (kind=? AND subject=?)` : `${index} (kind=?)`
}
