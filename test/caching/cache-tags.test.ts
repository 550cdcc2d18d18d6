import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuireError, limits, type AnswerInfo } from '@quire/contract'
import { AnswerTags } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { JournalRow, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { aChange, type Change } from './changes.ts'
import { publicAnswers, type PublicAnswer } from './public-answers.ts'
import { configId, openWorld, type CachingWorld } from './world.ts'

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

describe('cache tags of one answer', () => {
  const tagsOf = async ({ reader }: CachingWorld, query: string) => {
    let tags: readonly string[] = []
    const onAnswer = ({ cacheTags = [] }: AnswerInfo) => {
      tags = cacheTags
    }
    const { errors } = await reader.graphql.query({ configId, query }, { onAnswer })
    expect(errors).toBeUndefined()
    return tags
  }

  it('are at most 1 KB, whatever the caller asks for', async () => {
    const world = await openWorld(createMemoryStore())
    const fields = Array.from(
      { length: 8 },
      (_, index) => `a${index}: item(id: "CONT_\\r\\nX-Evil: ${index},i-0 ") { name }`,
    )
    const tags = await tagsOf(world, `{ ${fields.join(' ')} }`)
    expect(tags.length).toBeGreaterThan(8)
    for (const tag of tags) expect(tag).toMatch(/^[a-z]-[0-9A-Za-z]{10,14}$/)
    const many = new AnswerTags()
    many.open(world.repositoryId)
    for (let index = 0; index < 5000; index += 1) many.item(`CONT_${index}`)
    for (let index = 0; index < 5000; index += 1)
      many.category({ id: `CATG_${index}`, taxonomy: { id: 'TAXO_1' } })
    expect(many.tags()).toEqual([
      cacheTagOf('r', world.repositoryId),
      cacheTagOf('l', world.repositoryId),
      cacheTagOf('c', world.repositoryId),
    ])
    await world.quire.close()
  })

  it('do not tell whether a draft has a slug', async () => {
    const world = await openWorld(createMemoryStore())
    expect(await tagsOf(world, '{ item(slug: "article-3") { name } }')).toEqual(
      await tagsOf(world, '{ item(slug: "nothing") { name } }'),
    )
    await world.quire.close()
  })

  it('are none before the answer is for everyone', async () => {
    const tags = new AnswerTags()
    tags.item('CONT_1')
    tags.list(undefined)
    tags.also('types')
    expect(tags.tags()).toEqual([])
    const { desk, quire, articles } = await openWorld(createMemoryStore())
    let seen: readonly string[] = ['none yet']
    const onAnswer = ({ cacheTags = [] }: AnswerInfo) => {
      seen = cacheTags
    }
    await desk.published.item({ configId, id: articles[0] ?? '' }, { onAnswer })
    expect(seen).toEqual([])
    await quire.close()
  })
})

describe('the event', () => {
  it('is one for a commit, however many items it changes', async () => {
    const world = await openWorld(createMemoryStore())
    const { desk, articles, repositoryId } = world
    const end = (await purges(world, 0)).at(-1)?.sequence ?? 0
    await desk.items.bulk({ configId, action: 'unpublish', ids: articles.slice(0, 3), atomic: true })
    const [event, ...more] = await purges(world, end)
    expect(more).toEqual([])
    expect(event).toMatchObject({ repositoryId, entityId: repositoryId, entityType: 'repository' })
    await world.quire.close()
  })

  it('is not recorded for drafts, packages and repositories that are not public', async () => {
    const world = await openWorld(createMemoryStore())
    const { desk, articles, repositoryId } = world
    const id = articles[0] ?? ''
    const end = async () => (await purges(world, 0)).length
    const before = await end()
    await desk.items.update({ configId, id, fields: { title: 'A draft' } })
    await desk.packages.create({ repo: configId, name: 'next' })
    await desk.items.update({ configId, id, packageName: 'next', fields: { title: 'Planned' } })
    expect(await end()).toBe(before)
    await desk.repositories.update({ id: repositoryId, public: false })
    expect(await end()).toBe(before + 1)
    await desk.items.publish({ configId, id })
    expect(await end()).toBe(before + 1)
    await world.quire.close()
  })
})

function cacheTagOf(letter: string, id: string): string {
  return `${letter}-${id.slice(-10)}`
}

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
