import { describe, expect, it } from 'vitest'
import { type OpenBatch, createWriteQueue } from './write-queue.ts'

/** A queue whose batches write down what happens to them. */
function recorded({ failing = [] }: { failing?: readonly string[] } = {}) {
  const log: string[] = []
  const step = async (what: string) => {
    log.push(what)
    if (failing.includes(what)) throw new Error(what)
  }
  const queue = createWriteQueue(async (synced): Promise<OpenBatch<typeof log>> => {
    await step(synced ? 'begin' : 'begin relaxed')
    return { on: log, commit: () => step('commit'), abandon: () => step('abandon') }
  })
  const write = (name: string, options?: { synced: boolean }) =>
    queue.write(async (on) => {
      await step(name)
      on.push(`${name} done`)
      return name
    }, options)
  return { log, queue, write }
}

const reasons = async (all: readonly Promise<unknown>[]) => {
  const ended = await Promise.allSettled(all)
  return ended.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))
}

describe('a queue of writes', () => {
  it('runs what waits in order, in one transaction', async () => {
    const { log, write } = recorded()
    expect(await reasons([write('a'), write('b')])).toEqual(['a', 'b'])
    expect(log).toEqual(['begin', 'a', 'a done', 'b', 'b done', 'commit'])
  })

  it('makes no work wait for the disk that need not, and lets none that must share its commit', async () => {
    const { log, write } = recorded()
    await Promise.all([write('a'), write('b', { synced: false }), write('c')])
    const begun = log.filter((one) => one.startsWith('begin') || one === 'commit')
    expect(begun).toEqual(['begin', 'commit', 'begin relaxed', 'commit', 'begin', 'commit'])
  })

  it('passes on the error of one and keeps the others', async () => {
    const { log, write } = recorded({ failing: ['a'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: a', 'b'])
    expect(log).toEqual(['begin', 'a', 'b', 'b done', 'commit'])
  })

  it('refuses all whose commit fails, and undoes them', async () => {
    const { log, write } = recorded({ failing: ['commit'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: commit', 'Error: commit'])
    expect(log.at(-1)).toBe('abandon')
  })

  it('refuses what waits when no transaction can be begun, and tries again for the next', async () => {
    const { log, write } = recorded({ failing: ['begin'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: begin', 'Error: begin'])
    expect(await reasons([write('c', { synced: false })])).toEqual(['c'])
    expect(log).toEqual(['begin', 'begin relaxed', 'c', 'c done', 'commit'])
  })

  it('ends what is queued before it closes, and refuses what comes later', async () => {
    const { queue, write } = recorded()
    const last = write('a')
    await queue.drain()
    expect(await last).toBe('a')
    expect(await reasons([write('b')])).toEqual([expect.stringContaining('closed')])
  })
})
