import { describe, expect, it } from 'vitest'
import { createPathMemo } from './path-memo.ts'

const set = { branch: 1, kind: 'item', types: ['article'] } as const
const written = (type: string, ...paths: readonly string[]) =>
  ({ branch: 1, kind: 'item', type, paths: new Set(paths) }) as const

describe('a memory of complete paths', () => {
  it('starts empty, then recalls what was stored, whatever the order of types', () => {
    const memo = createPathMemo()
    expect(memo.recall(set, 'price')).toBeUndefined()
    memo.retain({ ...set, types: ['a', 'b'] }, 'price', true)
    expect(memo.recall({ ...set, types: ['b', 'a'] }, 'price')).toBe(true)
    expect(memo.recall(set, 'price')).toBeUndefined()
    expect(memo.recall({ ...set, types: null }, 'price')).toBeUndefined()
  })

  it('forgets a complete path only when a head of the set is written without it', () => {
    const memo = createPathMemo()
    memo.retain(set, 'price', true)
    memo.add(written('article', 'price', 'title'))
    memo.add(written('page'))
    memo.add({ ...written('article'), branch: 2 })
    memo.add({ ...written('article'), kind: 'folder' })
    expect(memo.recall(set, 'price')).toBe(true)
    memo.add(written('article', 'title'))
    expect(memo.recall(set, 'price')).toBeUndefined()
  })

  it('forgets an incomplete path at any write to the set', () => {
    const memo = createPathMemo()
    memo.retain(set, 'price', false)
    memo.add(written('page', 'price'))
    expect(memo.recall(set, 'price')).toBeUndefined()
  })

  it('counts the writes, so that answers from before a write can be discarded', () => {
    const memo = createPathMemo()
    const before = memo.changes()
    memo.add(written('page'))
    expect(memo.changes()).toBeGreaterThan(before)
  })
})
