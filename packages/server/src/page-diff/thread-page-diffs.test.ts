import { afterEach, describe, expect, it } from 'vitest'
import { inlinePageDiffs } from '@quire/core/memory'
import type { PageDiffs } from '@quire/core/ports'
import { threadPageDiffs } from './thread-page-diffs.ts'

const opened: PageDiffs[] = []
/**
 * Two pages of 400 KB in which every paragraph differs: comparing them exceeds the limits of these
 * tests.
 */
const slowPair = ['<p>ab cd ef gh '.repeat(26_000), '<p>ax bx cx dx '.repeat(26_000)] as const

function open(limits?: Parameters<typeof threadPageDiffs>[0]): PageDiffs {
  const diffs = threadPageDiffs(limits)
  opened.push(diffs)
  return diffs
}

afterEach(() => Promise.all(opened.splice(0).map((diffs) => diffs.close())))

describe('page diffs in a thread', () => {
  it('are the same as inline ones, each for its own call', async () => {
    const diffs = open()
    const pairs = [1, 2, 3].map((number) => [`<p>page ${number}</p>`, `<p>page ${number} more</p>`] as const)
    const inThread = await Promise.all(pairs.map(([before, after]) => diffs.state(before, after)))
    const inPlace = await Promise.all(pairs.map(([before, after]) => inlinePageDiffs().state(before, after)))
    expect(inThread).toEqual(inPlace)
  })

  it('do not block the thread of the caller', async () => {
    const diffs = open({ timeMs: 1500 })
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    await diffs.state(...slowPair).catch(() => undefined)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(20)
  })

  it('refuse a page above the time limit, and continue with the next', async () => {
    const diffs = open({ timeMs: 700 })
    const [slow, next] = await Promise.allSettled([
      diffs.state(...slowPair),
      diffs.state('<p>a</p>', '<p>b</p>'),
    ])
    expect(slow).toMatchObject({ status: 'rejected', reason: { name: 'PageDiffRefused', kind: 'slow' } })
    expect(next).toMatchObject({ status: 'fulfilled', value: { changes: 1 } })
  })

  it('refuse a page that is too large, and continue with the next', async () => {
    const diffs = open()
    await expect(diffs.state('<p>a'.repeat(300_000), '')).rejects.toMatchObject({
      name: 'PageDiffRefused',
      kind: 'large',
    })
    expect(await diffs.state('<p>a</p>', '<p>a</p>')).toMatchObject({ changes: 0 })
  })

  it('refuse more than can wait as busy', async () => {
    const diffs = open()
    const calls = await Promise.allSettled(Array.from({ length: 65 }, () => diffs.state('a', 'b')))
    expect(calls.at(-1)).toMatchObject({ status: 'rejected', reason: { kind: 'busy' } })
    expect(calls.slice(0, -1).every(({ status }) => status === 'fulfilled')).toBe(true)
  })

  it('refuse running, waiting and new comparisons once they are closed', async () => {
    const diffs = open()
    const calls = [diffs.state(...slowPair), diffs.state('a', 'b')]
    const settled = Promise.allSettled(calls)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await diffs.close()
    const later = diffs.state('a', 'b')
    await expect(later).rejects.toMatchObject({ kind: 'closed' })
    expect(await settled).toMatchObject([{ reason: { kind: 'closed' } }, { reason: { kind: 'closed' } }])
  })
})
