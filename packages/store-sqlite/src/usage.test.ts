import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { expect, it } from 'vitest'
import { openSqliteStore } from './open-store.ts'

it('a repository with a quota sums its usage changes while many are made, and keeps the total', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-usage-'))
  const store = await openSqliteStore({ file: join(folder, 'quire.db') })
  const api = createQuire({ store }).as(systemIdentity('test'))
  const settings = { quota: { items: 5000 } }
  const { id } = await api.repositories.create({ name: 'magazine', settings })
  await api.types.create({ name: 'plain', fields: [] })
  const stored = () => store.usage.of({ of: 'repository', id })
  const create = () => api.items.create({ repositoryId: id, type: 'plain', name: 'One' })
  for (let item = 0; item < 1000; item += 1) await create()
  expect(await stored()).toMatchObject({ items: 1000, unfolded: 1000 })
  for (let item = 0; item < 5; item += 1) await create()
  const { unfolded, ...usage } = await stored()
  expect(usage).toMatchObject({ items: 1005, versions: 1005 })
  expect(unfolded).toBeLessThan(10)
  await store.close()
  rmSync(folder, { recursive: true })
})
