// The engine in a program of its own, with a database file.
import { deepEqual, equal } from 'node:assert/strict'
import { createQuire, systemIdentity } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'

const open = async () =>
  createQuire({ store: await openSqliteStore({ file: 'magazine.db' }), baseUrl: 'http://localhost' })
let quire = await open()
let api = quire.as(systemIdentity('consumer'))
await api.repositories.create({ name: 'magazine' })
await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
const { id } = await api.items.create({
  repositoryId: 'magazine',
  type: 'article',
  name: 'One',
  fields: { title: 'Ink' },
})
await quire.close()
quire = await open()
api = quire.as(systemIdentity('consumer'))
deepEqual((await api.items.get({ configId: 'magazine', id })).fields, { title: 'Ink' })
equal((await api.items.list({ configId: 'magazine' })).count, 1)
await quire.close()
