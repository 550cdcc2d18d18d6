import { describe, expect, it } from 'vitest'
import { type OpenBatch, createWriteQueue } from './write-queue.ts'
import type { Begin } from './writer.ts'

/** A queue whose batches log what happens to them. */
function recorded({ failing = [] }: { failing?: readonly string[] } = {}) {
  const log: string[] = []
  const step = async (what: string) => {
    log.push(what)
    if (failing.includes(what)) throw new Error(what)
  }
  const begin = async ({ synced, alone }: Begin): Promise<OpenBatch<typeof log>> => {
    await step(`begin${synced ? '' : ' relaxed'}${alone ? ' alone' : ''}`)
    return { on: log, commit: () => step('commit'), abandon: () => step('abandon') }
  }
  const queue = createWriteQueue([begin])
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
  it('runs waiting work in order, in one transaction', async () => {
    const { log, write } = recorded()
    expect(await reasons([write('a'), write('b')])).toEqual(['a', 'b'])
    expect(log).toEqual(['begin', 'a', 'a done', 'b', 'b done', 'commit'])
  })

  it('commits synced and unsynced work separately', async () => {
    const { log, write } = recorded()
    await Promise.all([write('a'), write('b', { synced: false }), write('c')])
    const begun = log.filter((one) => one.startsWith('begin') || one === 'commit')
    expect(begun).toEqual(['begin', 'commit', 'begin relaxed', 'commit', 'begin', 'commit'])
  })

  it('reports the error of one and commits the others', async () => {
    const { log, write } = recorded({ failing: ['a'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: a', 'b'])
    expect(log).toEqual(['begin', 'a', 'b', 'b done', 'commit'])
  })

  it('refuses and rolls back all work whose commit fails', async () => {
    const { log, write } = recorded({ failing: ['commit'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: commit', 'Error: commit'])
    expect(log.at(-1)).toBe('abandon')
  })

  it('refuses waiting work when no transaction can be begun, and tries again for later work', async () => {
    const { log, write } = recorded({ failing: ['begin'] })
    expect(await reasons([write('a'), write('b')])).toEqual(['Error: begin', 'Error: begin'])
    expect(await reasons([write('c', { synced: false })])).toEqual(['c'])
    expect(log).toEqual(['begin', 'begin relaxed', 'c', 'c done', 'commit'])
  })

  it('finishes queued work before it closes, and refuses later work', async () => {
    const { queue, write } = recorded()
    const last = write('a')
    await queue.drain()
    expect(await last).toBe('a')
    expect(await reasons([write('b')])).toEqual([expect.stringContaining('closed')])
  })
})
