import { createQuire, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../test/serving.ts'

it('answers 503 for an operation that takes too long, and continues with all others', async () => {
  const engine = createQuire({ store: createMemoryStore(), baseUrl: 'http://quire.test' })
  const quire: Quire = {
    ...engine,
    run: async (request) => {
      if (request.operation === 'versions') await wait(300)
      return engine.run(request)
    },
  }
  const served = await serve({ quire, answerMs: 50 })
  onTestFinished(() => served.app.close())
  const items = await served.fetch('/api/items/magazine')
  const { items: all } = (await items.json()) as { items: { id: string }[] }
  const slow = await served.fetch(`/api/items/magazine/${all[0]?.id}/versions`)
  expect(slow.status).toBe(503)
  expect(await slow.json()).toMatchObject({
    error: true,
    code: 'unavailable',
    message: expect.stringContaining('0.05 s'),
  })
  expect(slow.headers.get('retry-after')).not.toBeNull()
  await wait(400)
  expect((await served.fetch('/api/items/magazine')).status).toBe(200)
})
