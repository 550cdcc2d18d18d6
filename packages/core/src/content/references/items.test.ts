import { expect, it } from 'vitest'
import { createQuire, systemIdentity } from '../../index.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Edge, EntityWrite } from '../../ports/index.ts'

const configId = 'magazine'

it('scans a limited number of references in one call, and reports that there may be more', async () => {
  const store = createMemoryStore()
  const quire = createQuire({ store })
  const system = quire.as(systemIdentity('test'))
  const { id: repositoryId } = await system.repositories.create({ name: configId })
  await system.types.create({ name: 'note' })
  const { id: itemId } = await system.items.create({ repositoryId, type: 'note', name: 'Target' })
  const role = await system.roles.create({ name: 'Insiders' })
  const head = await store.entities.get({ repositoryId, packageId: null }, 'item', itemId)
  if (!head) throw new Error('The target is not there.')
  const edges: Edge[] = [{ path: 'on', targetId: itemId, onDelete: 'unset' }]
  const holder = (index: number): EntityWrite => {
    const id = `CONT_${String(index).padStart(26, '0')}`
    const roles = { ...head.roles, read: index < 12_000 ? [role.id] : [] }
    return { ...head, id, slug: id.toLowerCase(), roles, values: [], edges, search: null }
  }
  await store.transaction(async (tx) => {
    for (let index = 0; index < 12_010; index += 1) await tx.entities.put(holder(index), 0)
  })
  const reader = await system.roles.create({ name: 'Readers', permissions: { global: ['items.read'] } })
  const account = await system.serviceAccounts.create({ name: 'Reader', roles: [reader.id] })
  const api = quire.as({ kind: 'service', id: account.id })

  const first = await api.references.items({ configId, itemId })
  expect(first).toEqual({ count: 0, countIsCapped: true, items: [], nextCursor: expect.any(String) })
  const cursor = first.nextCursor ?? ''
  const given = cursor.split('.').map((part) => atob(part.replaceAll('-', '+').replaceAll('_', '/')))
  expect(given.join(' ')).not.toContain('CONT_')
  const second = await api.references.items({ configId, itemId, cursor, skipCount: true })
  expect(second.items).toHaveLength(10)
  expect(second.nextCursor).toBeUndefined()
  expect(await system.references.items({ configId, itemId, limit: 1 })).toMatchObject({
    count: 10_000,
    countIsCapped: true,
  })
})
