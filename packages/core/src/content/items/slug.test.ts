import { describe, expect, it } from 'vitest'
import type { Entity, EntityReader } from '../../ports/index.ts'
import { freeSlug, slugify } from './slug.ts'

describe('a slug', () => {
  it.each([
    ['Ink that remembers', 'ink-that-remembers'],
    ["L'été à Paris", 'lete-a-paris'],
    ['Straße & Öl', 'strasse-ol'],
    ['Москва', 'moskva'],
    ['你好', 'ni-hao'],
    ['  --  ', ''],
    ['100% sure!', '100-sure'],
  ])('of %j is %j', async (text, slug) => {
    expect(await slugify(text)).toBe(slug)
  })

  it('of a long text ends at a word', async () => {
    const slug = await slugify('word '.repeat(100))
    expect(slug.length).toBeLessThanOrEqual(200)
    expect(slug.endsWith('word')).toBe(true)
  })
})

describe('a free slug', () => {
  const branch = { repositoryId: 'REPO_1', packageId: null }
  const reader = (inUse: (slug: string) => boolean) => {
    const asked: string[] = []
    const entities = {
      getBySlug: async (_branch: unknown, { slug }: { slug: string }) => {
        asked.push(slug)
        return inUse(slug) ? ({} as Entity) : null
      },
    }
    return { asked, entities: entities as unknown as EntityReader }
  }

  it('is unchanged if no item has it', async () => {
    expect(await freeSlug(reader(() => false).entities, branch, 'a')).toBe('a')
  })

  it('is found among thousands with few lookups', async () => {
    const { asked, entities } = reader((slug) => Number(/-(\d+)$/.exec(slug)?.[1] ?? 1) < 5000)
    expect(await freeSlug(entities, branch, 'a')).toBe('a-5000')
    expect(asked.length).toBeLessThan(30)
  })
})
