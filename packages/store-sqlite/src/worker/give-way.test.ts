import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const script = `
  const { parentPort } = require('node:worker_threads')
  const { readlinkSync } = require('node:fs')
  import(${JSON.stringify(new URL('give-way.ts', import.meta.url).href)}).then(({ giveWay }) => {
    giveWay(7)
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    parentPort.postMessage(require('node:os').getPriority(number))
  })`

it.runIf(process.platform === 'linux')(
  'a thread gives way, and the others of its process do not',
  async () => {
    const before = getPriority()
    const [given] = await once(new Worker(script, { eval: true }), 'message')
    expect(given).toBe(Math.min(before + 7, 19))
    expect(getPriority()).toBe(before)
  },
)
