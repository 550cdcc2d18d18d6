import type { HeadState, StoredJson } from '@quire/core/ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHeadCache, type HeadCache } from './head-cache.ts'
import type { JsonRow } from './head-row.ts'

/** A head as a row, and decoded. */
function head(number: number, slug: string | null, given: Partial<StoredJson> = {}): [JsonRow, StoredJson] {
  const json = `{"slug":${JSON.stringify(slug)}}`
  const stored: StoredJson = {
    repositoryId: 'REPO_1',
    packageId: null,
    kind: 'item',
    id: `CONT_${number}`,
    type: 'note',
    name: 'Note',
    version: 1,
    revision: 1,
    roles: { read: [], write: [], delete: [] },
    deletedDate: null,
    json,
    ...given,
  }
  const { kind, id, type, name, version, revision, deletedDate } = stored
  return [[1, kind, id, type, name, version, revision, deletedDate, '', json, number, slug], stored]
}

describe('the cache of heads', () => {
  const ref = { branch: 1, kind: 'item', slug: 'one' }
  let cache: HeadCache

  beforeEach(() => {
    cache = createHeadCache()
  })

  it('returns a head by its number and by its slug', () => {
    const [row, stored] = head(7, 'one')
    cache.put(row, stored)
    expect(cache.get(7)).toBe(stored)
    expect(cache.bySlug(ref)).toBe(stored)
    expect(cache.bySlug({ ...ref, branch: 2 })).toBeUndefined()
    expect(cache.bySlug({ ...ref, kind: 'folder' })).toBeUndefined()
  })

  it('forgets a written head, also by its slug', () => {
    cache.put(...head(7, 'one'))
    const before = cache.changes()
    cache.forget(7)
    expect(cache.get(7)).toBeUndefined()
    expect(cache.bySlug(ref)).toBeUndefined()
    expect(cache.changes()).toBeGreaterThan(before)
  })

  it('tells which heads were written since a number of changes', () => {
    cache.forget(7)
    const before = cache.changes()
    expect(cache.changedSince(before, [7, 8])).toBe(false)
    cache.forget(8)
    expect(cache.changedSince(before, [7])).toBe(false)
    expect(cache.changedSince(before, [7, 8])).toBe(true)
    expect(cache.changedSince(cache.changes(), [7, 8])).toBe(false)
    for (let head = 100; head < 10_200; head++) cache.forget(head)
    // Nobody remembers so many changes.
    expect(cache.changedSince(before, [7])).toBe(true)
    expect(cache.changedSince(cache.changes() - 50, [7, 8])).toBe(false)
  })

  it('does not return a head by a slug that it had', () => {
    cache.put(...head(7, 'one'))
    cache.forget(7)
    cache.put(...head(7, 'two'))
    expect(cache.bySlug(ref)).toBeUndefined()
    expect(cache.bySlug({ ...ref, slug: 'two' })?.id).toBe('CONT_7')
  })

  it('keeps a head without a slug, and none that is deleted', () => {
    cache.put(...head(7, null))
    cache.put(...head(8, 'gone', { deletedDate: 1 }))
    expect(cache.get(7)?.id).toBe('CONT_7')
    expect(cache.get(8)).toBeUndefined()
    expect(cache.bySlug({ ...ref, slug: 'gone' })).toBeUndefined()
  })

  it('drops the heads that were not read for longest, with their slugs', () => {
    const json = 'x'.repeat(8_000_000)
    for (const number of [1, 2, 3, 4]) cache.put(...head(number, `s${number}`, { json }))
    expect(cache.get(1)).toBeUndefined()
    expect(cache.bySlug({ ...ref, slug: 's1' })).toBeUndefined()
    expect(cache.bySlug({ ...ref, slug: 's4' })?.id).toBe('CONT_4')
  })

  describe('a head whose JSON was dropped', () => {
    const json = 'x'.repeat(8_000_000)
    beforeEach(() => {
      for (const number of [1, 2, 3, 4]) cache.put(...head(number, `s${number}`, { json }))
    })
    const s1 = { ...ref, slug: 's1' }

    it('is returned without it to a caller who has the text, and to no other', () => {
      const asked: HeadState[] = []
      const found = cache.bySlug(s1, (state) => asked.push(state) > 0)
      expect(found).toMatchObject({ id: 'CONT_1', revision: 1, json: '' })
      expect(asked).toMatchObject([{ id: 'CONT_1', revision: 1, packageId: null }])
      expect(cache.bySlug(s1, () => false)).toBeUndefined()
      expect(cache.bySlug(s1)).toBeUndefined()
      expect(cache.bySlug({ ...ref, slug: 's4' }, () => true)?.json).toBe(json)
    })

    it('is forgotten when it is written, and whole again when it is read', () => {
      cache.put(...head(1, 's1'))
      expect(cache.bySlug(s1)?.json).toBe('{"slug":"s1"}')
      for (const number of [5, 6, 7, 8]) cache.put(...head(number, `s${number}`, { json }))
      expect(cache.bySlug(s1, () => true)?.json).toBe('')
      cache.forget(1)
      expect(cache.bySlug(s1, () => true)).toBeUndefined()
      cache.put(...head(9, 's1'))
      expect(cache.bySlug(s1, () => true)?.id).toBe('CONT_9')
    })
  })
})
