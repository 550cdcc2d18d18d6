import { describe, expect, it } from 'vitest'
import { sharedLookup, systemLookup } from './lookup.ts'

describe('a shared lookup', () => {
  it('resolves a name once for all waiting callers, and again for later ones', async () => {
    const asked: string[] = []
    const lookup = sharedLookup(async (name) => {
      asked.push(name)
      return [`10.0.0.${asked.length}`]
    })
    expect(await Promise.all([lookup('a'), lookup('a'), lookup('b')])).toEqual([
      ['10.0.0.1'],
      ['10.0.0.1'],
      ['10.0.0.2'],
    ])
    expect(await lookup('a')).toEqual(['10.0.0.3'])
  })

  it('fails for all waiting callers, and is tried again for later ones', async () => {
    let times = 0
    const lookup = sharedLookup(async () => {
      times += 1
      if (times === 1) throw new Error('no')
      return ['10.0.0.1']
    })
    const results = await Promise.allSettled([lookup('a'), lookup('a')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await lookup('a')).toEqual(['10.0.0.1'])
  })
})

it('uses the hosts file of this machine', async () => {
  const found = await systemLookup('localhost')
  expect(found.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true)
})
