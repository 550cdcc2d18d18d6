import type { Api, OutputOf, Contract } from '@quire/contract'
import { describe, expect, it, vi } from 'vitest'
import { all, pages } from './index.ts'

type ItemPage = OutputOf<Contract['items']['list']>

/** A list of the numbers below 5 as items, two per page. */
function createList() {
  return vi.fn<Api['items']['list']>(async ({ cursor = '0' }) => {
    const start = Number(cursor)
    const items = [start, start + 1].filter((id) => id < 5).map((id) => ({ id: String(id) }))
    return start + 2 < 5 ? { count: 5, items, nextCursor: String(start + 2) } : { count: 5, items }
  })
}

async function idsOf(source: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of source) ids.push(id)
  return ids
}

describe('pages', () => {
  it('follows the list to its end', async () => {
    const list = createList()
    const seen: ItemPage[] = []
    for await (const page of pages(list, { configId: 'magazine', limit: 2 })) seen.push(page)
    expect(seen.map((page) => [page.count, page.items.length])).toEqual([
      [5, 2],
      [5, 2],
      [5, 1],
    ])
    expect(list.mock.calls.map(([input]) => input)).toEqual([
      { configId: 'magazine', limit: 2 },
      { configId: 'magazine', limit: 2, cursor: '2' },
      { configId: 'magazine', limit: 2, cursor: '4' },
    ])
  })

  it('requests a page when it is needed, not before', async () => {
    const list = createList()
    for await (const page of pages(list, { configId: 'magazine' })) if (page.nextCursor === '2') break
    expect(list).toHaveBeenCalledTimes(1)
  })

  it('starts at the given cursor', async () => {
    expect(await idsOf(all(createList(), { configId: 'magazine', cursor: '4' }))).toEqual(['4'])
  })

  it('ends with an error if the list does not advance', async () => {
    const list = vi.fn<Api['items']['list']>(async () => ({ items: [], nextCursor: 'same' }))
    await expect(idsOf(all(list, { configId: 'magazine' }))).rejects.toThrow(
      'nextCursor is the same as the cursor that was sent',
    )
    expect(list).toHaveBeenCalledTimes(2)
  })
})

describe('all', () => {
  it('returns the entries of every page', async () => {
    expect(await idsOf(all(createList(), { configId: 'magazine' }))).toEqual(['0', '1', '2', '3', '4'])
  })

  it('passes the options of the call to every page', async () => {
    const list = createList()
    const options = { requestId: 'mine' }
    await idsOf(all(list, { configId: 'magazine' }, options))
    expect(list.mock.calls.map(([, given]) => given)).toEqual([options, options, options])
  })

  it('accepts a list that needs no input', async () => {
    const list: Api['roles']['list'] = async () => ({ count: 0, items: [] })
    expect(await idsOf(all(list, {}))).toEqual([])
  })
})
