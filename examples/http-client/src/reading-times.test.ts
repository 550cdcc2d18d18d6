import { createClient, type Api } from '@quire/client'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createServer } from '@quire/server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ArticleFields, ContentTypes } from './generated/content-types.ts'
import { updateReadingTimes } from './reading-times.ts'

let quire: Quire
let system: Api<ContentTypes>
let app: ReturnType<typeof createServer>
let client: Api<ContentTypes>

beforeEach(async () => {
  const baseUrl = 'http://127.0.0.1:3000'
  quire = createQuire({ store: createMemoryStore(), baseUrl })
  system = quire.as<ContentTypes>(systemIdentity('test'))
  app = createServer({ quire, baseUrl })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const role = await system.roles.create({ name: 'Desk', bundles: ['bundle.contributor'] })
  const { id, secret } = await system.serviceAccounts.create({ name: 'Reading times', roles: [role.id] })
  client = createClient<ContentTypes>({ baseUrl: address, auth: { clientId: id, clientSecret: secret } })
  await prepare()
})

afterEach(async () => {
  await app.close()
  await quire.close()
})

async function prepare(): Promise<void> {
  await system.repositories.create({ name: 'magazine' })
  await system.types.create({
    name: 'article',
    fields: [
      { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
      { name: 'readingMinutes', kind: 'integer' },
    ],
  })
  await create('Long', 'word '.repeat(540))
  await create('Short', 'word '.repeat(20))
}

function create(name: string, body: string) {
  return system.items.create({ repositoryId: 'magazine', type: 'article', name, fields: { body } })
}

it('writes the reading time of every article, and changes nothing the second time', async () => {
  const expected = [
    { slug: 'long', minutes: 3, result: 'changed' },
    { slug: 'short', minutes: 1, result: 'changed' },
  ]
  expect(await updateReadingTimes(client, 'magazine')).toEqual(expected)
  const again = await updateReadingTimes(client, 'magazine')
  expect(again.map(({ result }) => result)).toEqual(['same', 'same'])
})

it('preserves what an editor saves between its read and its write', async () => {
  const outcomes = await updateReadingTimes(withEditor({ body: 'Cut to the bone.' }), 'magazine')
  expect(outcomes[0]).toMatchObject({ slug: 'long', result: 'changed' })
  const { fields } = await client.items.getBySlug({ configId: 'magazine', slug: 'long' })
  expect(fields).toEqual({ body: 'Cut to the bone.', readingMinutes: 3 })
})

it('does not overwrite a reading time that an editor has just changed', async () => {
  const outcomes = await updateReadingTimes(withEditor({ readingMinutes: 5 }), 'magazine')
  expect(outcomes[0]).toEqual({ slug: 'long', minutes: 3, result: 'theirs' })
  const { fields } = await client.items.getBySlug({ configId: 'magazine', slug: 'long' })
  expect(fields).toMatchObject({ readingMinutes: 5 })
})

/** A client with an editor who saves the article "Long" just before the client does. */
function withEditor(fields: ArticleFields): Api<ContentTypes> {
  const update: Api<ContentTypes>['items']['update'] = async (input, options) => {
    const item = await system.items.get({ configId: 'magazine', id: input.id })
    if (item.slug === 'long')
      await system.items.update<'article'>({ configId: 'magazine', id: input.id, fields })
    return client.items.update(input, options)
  }
  return { ...client, items: { ...client.items, update } }
}
