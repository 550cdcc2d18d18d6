import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds, type FixedClock } from '@quire/core/memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { composeNewsletter } from './newsletter.ts'

const day = 24 * 60 * 60 * 1000

let clock: FixedClock
let api: Api

/** A new engine for each test: no file, no port, no network. */
function openEngine(): Api {
  clock = fixedClock(Date.UTC(2026, 0, 1))
  return createQuire({ store: createMemoryStore(), clock, ids: seededIds(1, clock) }).as(
    systemIdentity('test'),
  )
}

beforeEach(async () => {
  api = openEngine()
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'author', fields: [] })
  await api.types.create({
    name: 'article',
    fields: [{ name: 'author', kind: 'reference', settings: { types: ['author'] } }],
  })
})

async function publish(name: string, fields: Record<string, string> = {}): Promise<string> {
  const { id } = await api.items.create({ repositoryId: 'magazine', type: 'article', name, fields })
  await api.items.publish({ configId: 'magazine', id })
  return id
}

function newsletter(): Promise<string> {
  return composeNewsletter(api, { configId: 'magazine', since: clock.now() - 7 * day })
}

describe('the newsletter', () => {
  it('lists articles from the last week, newest first, with authors', async () => {
    const author = await api.items.create({ repositoryId: 'magazine', type: 'author', name: 'Mirela Duda' })
    await publish('Too old')
    clock.advance(8 * day)
    await publish('See also', { author: author.id })
    clock.advance(day)
    await publish('In the margins')
    expect(await newsletter()).toBe(
      '2 new articles\n\nIn the margins, by the editors\n  /in-the-margins\n\nSee also, by Mirela Duda\n  /see-also',
    )
  })

  it('leaves drafts out', async () => {
    await api.items.create({ repositoryId: 'magazine', type: 'article', name: 'Not yet' })
    expect(await newsletter()).toBe('Nothing new.')
  })
})

describe('the engine in memory', () => {
  it('has the same ids and times in every run', async () => {
    const id = await publish('See also')
    api = openEngine()
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'author', fields: [] })
    await api.types.create({ name: 'article', fields: [] })
    expect(await publish('See also')).toBe(id)
  })

  it('answers its first call within 50 ms after its creation', async () => {
    const start = performance.now()
    await openEngine().repositories.list()
    const elapsed = performance.now() - start
    console.log(`engine in memory: first answer after ${elapsed.toFixed(1)} ms`)
    expect(elapsed).toBeLessThan(50)
  })
})
