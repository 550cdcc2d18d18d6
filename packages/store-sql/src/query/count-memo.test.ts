import { describe, expect, it } from 'vitest'
import { createCountMemo } from './count-memo.ts'
import { piece, value } from './sql-part.ts'

const query = (of: number) => piece`SELECT ${value(of)}`

describe('remembered counts', () => {
  it('are counted once for the same query with the same values', async () => {
    const memo = createCountMemo()
    let counted = 0
    const count = async () => ++counted
    expect([
      await memo.get(query(1), count),
      await memo.get(query(1), count),
      await memo.get(query(2), count),
    ]).toEqual([1, 1, 2])
  })

  it('are counted again after a commit', async () => {
    const memo = createCountMemo()
    await memo.get(query(1), async () => 1)
    memo.forget()
    expect(await memo.get(query(1), async () => 2)).toBe(2)
  })

  it('are not cached when a commit happens while they are counted', async () => {
    const memo = createCountMemo()
    await memo.get(query(1), async () => 1)
    const stale = memo.get(query(2), async () => {
      memo.forget()
      return 1
    })
    expect(await stale).toBe(1)
    expect(await memo.get(query(2), async () => 2)).toBe(2)
  })
})
