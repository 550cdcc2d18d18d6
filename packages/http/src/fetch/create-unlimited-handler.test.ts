import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUnlimitedHandler } from './create-unlimited-handler.ts'
import type { FetchHandler } from './options.ts'

const baseUrl = 'https://quire.test'
let quire: Quire
let handler: FetchHandler

beforeAll(async () => {
  quire = createQuire({ store: createMemoryStore(), baseUrl })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [] })
  handler = createUnlimitedHandler(quire, { context: () => ({ identity: systemIdentity('host') }) })
})
afterAll(async () => {
  handler.close()
  await quire.close()
})

const createOf = (name: string) =>
  new Request(`${baseUrl}/api/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ repositoryId: 'magazine', type: 'article', name }),
  })

it('reads the body of a request that does not show it, as in Firefox', async () => {
  const request = Object.defineProperty(createOf('Firefox'), 'body', { value: undefined })
  const answer = await handler(request)
  expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ name: 'Firefox' })])
})

it('reads a stream that cannot be iterated, as in Safari', async () => {
  const request = createOf('Safari')
  Object.defineProperty(request.body, Symbol.asyncIterator, { value: undefined })
  const answer = await handler(request)
  expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ name: 'Safari' })])
})

it('answers a body that is too large while a clone of the request is unread', async () => {
  const request = createOf('x'.repeat(6 * 1024 ** 2))
  request.clone()
  expect((await handler(request)).status).toBe(413)
})

it('refuses nobody because of a rate', async () => {
  const open = createUnlimitedHandler(quire)
  const published = () => open(new Request(`${baseUrl}/api/published/items/magazine`))
  const answers = await Promise.all(Array.from({ length: 300 }, published))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})
