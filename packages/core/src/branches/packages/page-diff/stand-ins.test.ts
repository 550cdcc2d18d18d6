import type { Item } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { createStandIns } from './sites-to-compare.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stand-ins read nothing of an item
const item = { id: 'CONT_1' } as Item
const find = (address: string | null) => async () => address

describe('stand-ins for pictures', () => {
  it('are short, the same for identical pictures of both sides, and are replaced by the pictures', async () => {
    const { of, restored } = createStandIns()
    const large = `data:image/webp;base64,${'A'.repeat(10_000)}`
    const [first, same, other] = await Promise.all([
      of(find(large))(item, 'card'),
      of(find(large))(item, 'medium'),
      of(find('data:image/png;base64,BB'))(item, 'card'),
    ])
    expect(first).toBe(same)
    expect(first?.length).toBeLessThan(40)
    expect(restored(`<img src="${first}"><img src="${other}">`)).toBe(
      `<img src="${large}"><img src="data:image/png;base64,BB">`,
    )
  })

  it('are null where there is no picture', async () => {
    expect(await createStandIns().of(find(null))(item, 'card')).toBeNull()
  })

  it('remain for pictures that would make a document too large, and where a page contains one itself', async () => {
    const { of, restored } = createStandIns()
    const standIn =
      (await of(find(`data:image/png;base64,${'A'.repeat(10 * 1024 ** 2)}`))(item, 'card')) ?? ''
    expect(restored(standIn.repeat(3)).length).toBeLessThan(21 * 1024 ** 2)
    expect(restored(standIn)).toBe(standIn)
    expect(restored('data:image/png;quire=7,')).toBe('data:image/png;quire=7,')
  })
})
