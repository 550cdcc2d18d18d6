import { createQuire, refuse, systemIdentity, type BeforeSave, type Hooks } from '@quire/core'
import { fakeOutbound } from '@quire/core/memory'
import { expect, it } from 'vitest'
import { stores } from './shop.ts'

const origin = 'https://files.example.com'
const url = `${origin}/note.txt`

/** An engine whose repository may fetch files, each with the text `text`. */
async function openArchive(openStore: (typeof stores)[number][1], hooks: Hooks) {
  const body = new TextEncoder().encode('text')
  const outbound = fakeOutbound(() => ({ status: 200, headers: [], body, isCut: false }))
  const quire = createQuire({ store: await openStore(), hooks, outbound })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'archive', settings: { assets: { fetchOrigins: [origin] } } })
  await api.types.create({
    name: 'note',
    fields: [{ name: 'code', kind: 'text' }],
    settings: { isAsset: true },
  })
  return { quire, api, outbound }
}

it.each(stores)('a fetched asset is one of `assets.create` for hooks, on %s', async (_name, openStore) => {
  const saves: BeforeSave<'item'>[] = []
  const checked: unknown[] = []
  const { quire, api, outbound } = await openArchive(openStore, {
    item: {
      before(save) {
        saves.push(save)
        return { ...save.input, fields: { code: 'by hook' } }
      },
      check: ({ after }) => void checked.push(after?.asset?.mimeType),
    },
  })
  const input = { configId: 'archive', url }
  const made = await api.assets.createFromUrl(input, { idempotencyKey: 'a' })
  expect(made).toMatchObject({ name: 'note', fields: { code: 'by hook' } })
  expect(saves).toMatchObject([
    {
      operation: 'assets.create',
      input: { configId: 'archive' },
      current: null,
      file: { fileName: 'note.txt', mimeType: 'text/plain', size: 4 },
    },
  ])
  expect(saves[0]?.input).not.toHaveProperty('url')
  expect(checked).toEqual(['text/plain'])
  expect(await api.assets.createFromUrl(input, { idempotencyKey: 'a' })).toEqual(made)
  expect([saves.length, outbound.sent.length]).toEqual([1, 1])
  await quire.close()
})

it.each(stores)('a hook refuses a fetched asset, on %s', async (_name, openStore) => {
  const refusing = () => {
    throw refuse([{ path: 'name', message: 'is not wanted' }])
  }
  for (const hooks of [{ before: refusing }, { check: refusing }]) {
    const { quire, api } = await openArchive(openStore, { item: hooks })
    await expect(api.assets.createFromUrl({ configId: 'archive', url })).rejects.toMatchObject({
      code: 'invalid',
      issues: [{ path: 'name', message: 'is not wanted' }],
    })
    expect((await api.items.list({ configId: 'archive' })).count).toBe(0)
    await quire.close()
  }
})
