import { setTimeout } from 'node:timers/promises'
import type { Quire } from '@quire/core'
import { refuse, systemIdentity, type BeforeSave, type Hooks } from '@quire/core'
import { describe, expect, it } from 'vitest'
import { openShop, product, stores } from './shop.ts'

type ItemSave = BeforeSave<'item'>
type ItemBefore = (save: ItemSave) => object | undefined | Promise<object | undefined>

/** Hooks whose `before` of items notes each save, and can be set later. */
function switchable() {
  const saves: ItemSave[] = []
  const current: { before: ItemBefore } = { before: () => undefined }
  const hooks: Hooks = {
    timeoutMs: 60,
    item: {
      before(save) {
        saves.push(save)
        return current.before(save)
      },
    },
  }
  return { hooks, saves, current, operations: () => saves.map(({ operation }) => operation) }
}

const withCode = ({ input }: ItemSave) => ({ ...input, fields: { code: 'by hook' } })
const refusing = () => {
  throw refuse([{ path: 'name', message: 'is not wanted' }])
}

describe.each(stores)('before, on %s', (_name, openStore) => {
  it('gets frozen copies of the input and of what is stored, and who saves', async () => {
    const { hooks, saves } = switchable()
    const { api } = await openShop(openStore, hooks)
    const { id } = await api.items.create(product)
    await api.items.update({ configId: 'shop', id, fields: { price: 2 } })
    expect(saves).toMatchObject([
      { operation: 'items.create', input: product, current: null, packageName: null },
      {
        operation: 'items.update',
        input: { id, fields: { price: 2 } },
        current: { id, name: 'Tea', categories: [] },
      },
    ])
    expect(saves[0]?.principal).toEqual({ kind: 'system', id: 'system:test', name: 'test' })
    expect(Object.isFrozen(saves[1]?.input) && Object.isFrozen(saves[1]?.current?.fields)).toBe(true)
  })

  it('changes the input of every way to save items', async () => {
    const { hooks, current, operations } = switchable()
    const { api, store } = await openShop(openStore, hooks)
    current.before = (save) =>
      save.operation === 'items.copy' ? { ...save.input, slug: 'copied' } : withCode(save)
    const codeOf = async (id: string) => (await api.items.get({ configId: 'shop', id })).fields?.['code']
    const { id } = await api.items.create(product)
    expect(await codeOf(id)).toBe('by hook')
    expect((await api.items.copy({ configId: 'shop', id })).slug).toBe('copied')
    const bulk = { configId: 'shop', action: 'update' as const, ids: [id], input: { name: 'x' } }
    for (const mode of [{}, { atomic: true }, { dryRun: true }]) {
      const { outcomes } = await api.items.bulk({ ...bulk, ...mode })
      expect(outcomes[0]?.item?.fields['code']).toBe('by hook')
    }
    const { outcomes } = await api.items.bulk(bulk, { idempotencyKey: 'a' })
    expect(outcomes[0]?.item?.fields['code']).toBe('by hook')
    const source = 'mutation { createProduct(input: { name: "Rice" }) { code } }'
    expect(await api.graphql.execute({ configId: 'shop', query: source })).toMatchObject({
      data: { createProduct: { code: 'by hook' } },
    })
    const file = new File(['text'], 'note.txt', { type: 'text/plain' })
    expect((await api.assets.create({ configId: 'shop', file, type: 'photo' })).fields['code']).toBe(
      'by hook',
    )
    const metadata = { repositoryId: 'shop', filename: 'note.txt', contentType: 'photo' }
    const upload = await api.uploads.create({ length: 4, metadata, file })
    expect(await codeOf(upload.itemId ?? '')).toBe('by hook')
    const rule = {
      repositoryId: 'shop',
      name: 'All',
      types: ['product'],
      packageNameTemplate: 'p {{ item.name }}',
    }
    const { id: ruleId } = await api.autoPackageRules.create(rule)
    const packaged = { repositoryId: 'shop', ruleId, packageAction: 'createNew' } as const
    const made = await api.autoPackage.createAndSave({ ...packaged, item: { type: 'product', name: 'New' } })
    const changed = await api.autoPackage.createAndSave({ ...packaged, item: { id, name: 'Old' } })
    expect([made.fields['code'], changed.fields['code']]).toEqual(['by hook', 'by hook'])
    expect(operations()).toEqual([
      'items.create',
      'items.copy',
      ...Array.from({ length: 4 }, () => 'items.update'),
      'items.create',
      'assets.create',
      'assets.create',
      'items.create',
      'items.update',
    ])
    expect(await store.records.list('package')).toHaveLength(2)
  })

  it('refuses every way to save items, and nothing is changed', async () => {
    const { hooks, current } = switchable()
    const { api, store } = await openShop(openStore, hooks)
    const { id } = await api.items.create(product)
    const rule = {
      repositoryId: 'shop',
      name: 'All',
      types: ['secret'],
      packageNameTemplate: 'p {{ item.name }}',
    }
    const { id: ruleId } = await api.autoPackageRules.create(rule)
    const newest = async () => (await store.journal.readBack({ limit: 1 }))[0]?.sequence
    const last = await newest()
    current.before = refusing
    const file = new File(['text'], 'note.txt', { type: 'text/plain' })
    const bulk = { configId: 'shop', action: 'update' as const, ids: [id], input: { name: 'x' } }
    const metadata = { repositoryId: 'shop', filename: 'note.txt', contentType: 'photo' }
    const item = { type: 'secret', name: 'New' }
    const ways: readonly (() => Promise<unknown>)[] = [
      () => api.items.create(product),
      () => api.items.copy({ configId: 'shop', id }),
      () => api.items.move({ configId: 'shop', id, folderId: null }),
      () => api.items.bulk({ ...bulk, atomic: true }),
      () => api.assets.create({ configId: 'shop', file, type: 'photo' }),
      () => api.uploads.create({ length: 4, metadata, file }),
      () => api.autoPackage.createAndSave({ repositoryId: 'shop', ruleId, packageAction: 'createNew', item }),
    ]
    const refusal = { code: 'invalid', issues: [{ path: 'name', message: 'is not wanted' }] }
    for (const way of ways) await expect(way()).rejects.toMatchObject(refusal)
    for (const mode of [{}, { dryRun: true }])
      expect((await api.items.bulk({ ...bulk, ...mode })).outcomes).toMatchObject([
        { ok: false, error: refusal },
      ])
    expect(await newest()).toBe(last)
    expect(await store.records.list('package')).toEqual([])
  })

  it('does not run for a caller who may not save, or sends something invalid', async () => {
    const { hooks, saves } = switchable()
    const { api, contributor } = await openShop(openStore, hooks)
    const { id } = await api.items.create({ ...product, type: 'secret' })
    const { id: own } = await api.items.create(product)
    saves.length = 0
    const limited = await contributor()
    const on = { configId: 'shop', id }
    await expect(limited.items.create({ ...product, type: 'secret' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(limited.items.update({ ...on, name: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      limited.items.bulk({ configId: 'shop', action: 'update', ids: [id], atomic: true }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(limited.folders.create({ configId: 'shop', name: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(limited.items.update({ configId: 'shop', id: own, name: '' })).rejects.toMatchObject({
      code: 'invalid',
    })
    const stale = limited.items.update({ configId: 'shop', id: own, name: 'x' }, { ifMatch: '"stale"' })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(saves).toEqual([])
  })

  it('cannot exceed what the caller may do, nor the form of the input', async () => {
    const { hooks, current } = switchable()
    const { contributor, api } = await openShop(openStore, hooks)
    const limited = await contributor()
    current.before = ({ input }) => ({ ...input, type: 'secret' })
    await expect(limited.items.create(product)).rejects.toMatchObject({ code: 'forbidden' })
    current.before = ({ input }) => ({ ...input, price: 3 })
    await expect(limited.items.create(product)).rejects.toMatchObject({
      code: 'invalid',
      issues: [{ path: 'price' }],
    })
    current.before = ({ input }) => ({ ...input, fields: { price: 'three' } })
    await expect(api.items.create(product)).rejects.toMatchObject({ code: 'invalid' })
    expect((await api.items.list({ configId: 'shop' })).count).toBe(0)
  })

  it.each([
    ['changes what is saved', ({ input }: ItemSave) => ({ ...input, repositoryId: 'other' })],
    ['changes the package', ({ input }: ItemSave) => ({ ...input, packageName: 'other' })],
    ['returns something else', () => [1]],
    [
      'returns a cycle',
      () => {
        const cycle: Record<string, unknown> = {}
        cycle['self'] = cycle
        return cycle
      },
    ],
    [
      'throws',
      () => {
        throw new Error('the password is 123')
      },
    ],
    ['changes the frozen input', ({ input }: ItemSave) => Object.assign(input, { name: 'x' })],
  ])('is at fault when it %s: the caller sees no details, the log has its name', async (_what, before) => {
    const { hooks, current } = switchable()
    const { api, logged } = await openShop(openStore, hooks)
    current.before = before
    const error = await api.items.create(product, { requestId: 'R1' }).catch((error: Error) => error)
    expect(error).toMatchObject({ code: 'internal', requestId: 'R1' })
    expect(JSON.stringify(error)).not.toContain('password')
    expect(error).toMatchObject({ message: expect.not.stringContaining('password') })
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'hook.failed', hook: 'item.before', requestId: 'R1' }),
    )
    expect((await api.items.list({ configId: 'shop' })).count).toBe(0)
  })

  it('is given up at its time limit and with its caller, while others write', async () => {
    const { hooks, current, saves } = switchable()
    const { api } = await openShop(openStore, hooks)
    current.before = async ({ input }) => {
      await setTimeout(150)
      return input
    }
    const slow = api.items.create(product)
    await api.folders.create({ configId: 'shop', name: 'Meanwhile' })
    await expect(slow).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('item.before did not end within 60 ms'),
    })
    expect(saves[0]?.signal.aborted).toBe(true)
    const leaving = new AbortController()
    const left = api.items.create(product, { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    await setTimeout(150)
    expect((await api.items.list({ configId: 'shop' })).count).toBe(0)
  })

  it('does not run again for a replay, whose key stands for what was sent', async () => {
    const { hooks, current, saves } = switchable()
    const { api } = await openShop(openStore, hooks)
    let count = 0
    current.before = ({ input }) => ({ ...input, fields: { price: (count += 1) } })
    const first = await api.items.create(product, { idempotencyKey: 'k' })
    const second = await api.items.create(product, { idempotencyKey: 'k' })
    expect([second.id, second.fields['price'], saves.length]).toEqual([first.id, 1, 1])
    const other = api.items.create({ ...product, name: 'Rice' }, { idempotencyKey: 'k' })
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    expect(saves).toHaveLength(1)
  })

  it('may use the engine, and one that saves in a circle ends', async () => {
    const { hooks, current, operations } = switchable()
    const { api, quire } = await openShop(openStore, hooks)
    current.before = async ({ input }) => {
      if ('name' in input && input.name === 'Log') return undefined
      await system(quire).items.create({ ...product, name: 'Log' })
      return undefined
    }
    await api.items.create(product)
    expect(operations()).toEqual(['items.create', 'items.create'])
    current.before = async () => {
      await system(quire).items.create(product)
      return undefined
    }
    // The innermost save is refused, which is a fault of the hook around it.
    await expect(api.items.create(product)).rejects.toMatchObject({
      code: expect.stringMatching(/internal|unavailable/),
    })
    await setTimeout(100)
    expect(operations().length).toBeLessThan(1000)
    expect((await api.items.list({ configId: 'shop' })).count).toBe(2)
  })

  it('does not run where many saves are tried in one transaction', async () => {
    const { hooks, operations } = switchable()
    const { api } = await openShop(openStore, hooks)
    const file = new File(['name,fields.price\nInk,1\n'], 'rows.csv', { type: 'text/csv' })
    const input = { configId: 'shop', type: 'product', file }
    expect(await api.items.importRows({ ...input, dryRun: true })).toMatchObject({ create: 1, refuse: 0 })
    expect(operations()).toEqual([])
    await api.items.importRows(input)
    expect(operations()).toEqual(['items.create'])
  })

  it('runs for each row that is saved and published', async () => {
    const { hooks, current, operations } = switchable()
    const { api } = await openShop(openStore, hooks)
    current.before = withCode
    const file = new File(['name,fields.price\nInk,1\n'], 'rows.csv', { type: 'text/csv' })
    const input = { configId: 'shop', type: 'product', file, publish: true }
    expect(await api.items.importRows(input)).toMatchObject({ create: 1, refuse: 0 })
    expect(operations()).toEqual(['items.create'])
    const [item] = (await api.items.list({ configId: 'shop' })).items
    expect(item).toMatchObject({ status: 'published', fields: { code: 'by hook' } })
  })
})

function system(quire: Quire) {
  return quire.as(systemIdentity('hook'))
}
