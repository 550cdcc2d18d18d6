import { setImmediate as nextLoop } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { createSlots, type Slots } from '@quire/http/shared'

const megabyte = 1_000_000

/** Milliseconds that this many megabytes take, for four callers at once. */
async function timeOf(slots: Slots, megabytes: number): Promise<number> {
  const started = performance.now()
  const quarter = async () => {
    for (let index = 0; index < megabytes / 4; index++) await slots.take(megabyte)
  }
  await Promise.all([quarter(), quarter(), quarter(), quarter()])
  return performance.now() - started
}

describe('slots', () => {
  let others: NodeJS.Timeout | undefined
  let slots: Slots
  beforeEach(() => {
    slots = createSlots()
  })
  afterEach(() => clearInterval(others))

  it('are granted one after the other, each in its own tick of the event loop', async () => {
    const order: string[] = []
    const accepted = ['a', 'b', 'c'].map((name) => slots.take(1).then(() => order.push(name)))
    for (let slot = 0; slot < 4; slot++) {
      await nextLoop()
      order.push(String(slot))
    }
    await Promise.all(accepted)
    expect(order.join('')).toMatch(/^0?a\d?b\d?c\d*$/)
    expect(order.join('')).not.toMatch(/ab|bc/)
  })

  it('are not slowed down while there are no small requests', async () => {
    expect(await timeOf(slots, 200)).toBeLessThan(1000)
  })

  it('are limited to a gigabit per second while others are answered', async () => {
    slots.answered()
    others = setInterval(() => slots.answered(), 10)
    const accepted = await timeOf(slots, 40)
    expect(accepted).toBeGreaterThan(250)
    expect(accepted).toBeLessThan(3000)
  })
})

describe('a server', () => {
  let server: AssetServing
  let small: string
  let large: string
  beforeAll(async () => {
    server = await serveAssets()
    small = (await server.upload(new Uint8Array(1000))).id
    large = (await server.upload(new Uint8Array(megabyte))).id
  })
  afterAll(() => server.close())
  afterEach(() => vi.restoreAllMocks())

  const original = (id: string) => server.get({ id })
  const beginUpload = () => {
    const metadata = `repositoryId ${Buffer.from('magazine').toString('base64')}`
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1000', 'upload-metadata': metadata }
    return server.fetch('/api/items/upload', { method: 'POST', headers })
  }
  const sendForm = () => {
    const body = new FormData()
    body.append('file', new File(['bytes'], 'a.txt'))
    return server.fetch('/api/assets/magazine', { method: 'POST', body })
  }

  it.each([
    ['JSON', 200, () => server.fetch('/api/items/magazine/slug/ink')],
    ['a refusal', 404, () => server.fetch('/api/nowhere')],
    ['a small file', 200, () => original(small)],
  ])('lets callers that are answered with %s go first', async (_, status, ask) => {
    const answered = vi.spyOn(server.app.slots, 'answered')
    expect((await ask()).status).toBe(status)
    expect(answered).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['a large file', 200, () => original(large)],
    ['the result of a form', 201, sendForm],
    ['the result of an upload', 201, beginUpload],
  ])(
    'delays nobody for callers that are answered with %s: they take slots themselves',
    async (_, status, ask) => {
      const answered = vi.spyOn(server.app.slots, 'answered')
      const response = await ask()
      await response.arrayBuffer()
      expect(response.status).toBe(status)
      expect(answered).not.toHaveBeenCalled()
    },
  )

  it('reads a file of a form with slots, and sends a stored one without', async () => {
    const take = vi.spyOn(server.app.slots, 'take')
    await server.upload(new Uint8Array(megabyte))
    expect(take.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)).toBe(megabyte)
    take.mockClear()
    await (await original(large)).arrayBuffer()
    expect(take).not.toHaveBeenCalled()
  })
})
