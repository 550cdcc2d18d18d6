import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Opens a real service for pages that call one: the demo's types and two articles, with a memory
 * store on a free port. Sets QUIRE_CLIENT_ID and QUIRE_CLIENT_SECRET to its service account, as the
 * pages assume.
 */
export async function openService(folder) {
  const { resolve } = createRequire(join(folder, 'package.json'))
  const load = (specifier) => import(pathToFileURL(resolve(specifier)).href)
  const { createQuire, systemIdentity } = await load('@quire/core')
  const { createMemoryStore } = await load('@quire/core/memory')
  const { nodeExtraction } = await load('@quire/extract-node')
  const { createServer, noRateLimits } = await load('@quire/server')
  const baseUrl = 'http://127.0.0.1:3000'
  const quire = createQuire({ store: createMemoryStore(), extraction: nodeExtraction(), baseUrl })
  const api = quire.as(systemIdentity('docs'))
  await prepareMagazine(api)
  const role = await api.roles.create({ name: 'Docs', bundles: ['bundle.administrator'] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Docs', roles: [role.id] })
  Object.assign(process.env, { QUIRE_CLIENT_ID: id, QUIRE_CLIENT_SECRET: secret })
  const app = createServer({ quire, baseUrl, rates: noRateLimits })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    address,
    close: async () => {
      await app.close()
      await quire.close()
    },
  }
}

async function prepareMagazine(api) {
  await api.repositories.create({ name: 'magazine', displayName: 'Deckle' })
  const text = (name) => ({ name, kind: 'text' })
  await api.types.create({ name: 'author', fields: [text('title')] })
  await api.types.create({
    name: 'article',
    settings: { slugFrom: 'title' },
    fields: [
      { ...text('title'), required: true },
      text('summary'),
      { name: 'author', kind: 'reference', settings: { types: ['author'], onDelete: 'restrict' } },
      { name: 'readingMinutes', kind: 'integer' },
      { name: 'publishedOn', kind: 'date' },
      { ...text('topics'), list: true },
      { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
    ],
  })
  const author = await api.items.create({
    repositoryId: 'magazine',
    type: 'author',
    name: 'Tomas Lindqvist',
    fields: { title: 'Tomas Lindqvist' },
  })
  for (const title of ['Ink that remembers', 'A room at fifty per cent']) {
    const fields = { title, readingMinutes: 2, topics: ['conservation'], author: author.id }
    const { id } = await api.items.create({ repositoryId: 'magazine', type: 'article', name: title, fields })
    await api.items.publish({ configId: 'magazine', id })
  }
}
