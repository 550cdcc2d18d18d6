import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuireError, limits } from '@quire/contract'
import { createMemoryStore } from '@quire/core/memory'
import type { JournalRow, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { aChange, type Change } from './changes.ts'
import { publicAnswers, type PublicAnswer } from './public-answers.ts'
import { openWorld, type CachingWorld } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-caching-'))
let files = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const stores: readonly (readonly [string, number, () => Promise<Store>])[] = [
  ['memory', 60, async () => createMemoryStore()],
  ['SQLite', 12, async () => openSqliteStore({ file: join(folder, `${++files}.db`) })],
]

// Fixed, so that a failure is due to the change under test.
const seed = 20_261_125

describe.each(stores)('cache tags on %s', (_name, numRuns, openStore) => {
  it(
    'name every public answer that a change made different, and few others',
    { timeout: 240_000 },
    async () => {
      const counts = { changed: 0, purgedOnly: 0 }
      await fc.assert(
        fc.asyncProperty(fc.array(aChange, { minLength: 5, maxLength: 15 }), async (changes) => {
          const world = await openWorld(await openStore())
          try {
            await follow(world, changes, counts)
          } finally {
            await world.quire.close()
          }
        }),
        { seed, numRuns },
      )
      expect(counts.changed).toBeGreaterThan(numRuns * 10)
      expect(counts.purgedOnly / counts.changed).toBeLessThanOrEqual(1.5)
    },
  )
})

interface Counts {
  changed: number
  purgedOnly: number
}

async function follow(world: CachingWorld, changes: readonly Change[], counts: Counts): Promise<void> {
  let before = await publicAnswers(world)
  let end = (await purges(world, 0)).at(-1)?.sequence ?? 0
  for (const change of changes) {
    await change.make(world).catch(ignoreRefusal)
    const events = await purges(world, end)
    end = events.at(-1)?.sequence ?? end
    const purged = new Set(events.flatMap(({ details }) => details['tags'] as string[]))
    const after = await publicAnswers(world)
    compare(change, { before, after, purged }, counts)
    before = after
  }
}

interface Step {
  readonly before: readonly PublicAnswer[]
  readonly after: readonly PublicAnswer[]
  readonly purged: ReadonlySet<string>
}

function compare({ name }: Change, { before, after, purged }: Step, counts: Counts): void {
  const now = new Map(after.map((answer) => [answer.name, answer.text]))
  const stale = []
  for (const answer of before) {
    // A cache does not store an answer without tags for longer than browsers do.
    if (answer.tags.length === 0) continue
    const isPurged = answer.tags.some((tag) => purged.has(tag))
    const isChanged = now.get(answer.name) !== answer.text
    if (isChanged && !isPurged) stale.push(answer.name)
    if (isChanged) counts.changed += 1
    else if (isPurged) counts.purgedOnly += 1
    expect(answer.tags.join(',').length).toBeLessThanOrEqual(limits.cacheTags)
  }
  expect(stale, `stale after: ${name}`).toEqual([])
}

/** The events after a position in the journal. */
async function purges({ store }: CachingWorld, after: number): Promise<JournalRow[]> {
  const rows = await store.journal.read({ after, limit: 10_000 })
  return rows.filter(({ event }) => event === 'CACHE_TAGS_PURGED')
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof QuireError) || error.status >= 500) throw error
}
