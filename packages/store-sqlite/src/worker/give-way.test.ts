import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const script = `
  import(${JSON.stringify(new URL('give-way.ts', import.meta.url).href)}).then(({ giveWay }) => {
    giveWay(7)
    require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority())
  })`

it.runIf(process.platform === 'linux')(
  'a thread lowers only its own priority, not that of the process (Linux only)',
  async () => {
    const before = getPriority()
    const [given] = await once(new Worker(script, { eval: true }), 'message')
    expect(given).toBe(Math.min(before + 7, 19))
    expect(getPriority()).toBe(before)
  },
)
