import { refuse, type Change, type Hooks } from '@quire/core'
import { describe, expect, it } from 'vitest'
import { openShop, product, stores } from './shop.ts'

type ItemChange = Change<'item'>

/** Hooks whose `check` of items notes each change, and refuses those that it is told to. */
function watching(refuses: (change: ItemChange) => boolean = () => false) {
  const changes: ItemChange[] = []
  const hooks: Hooks = {
    item: {
      check(change) {
        changes.push(change)
        if (refuses(change)) throw refuse([{ path: 'fields.price', message: 'is too low' }])
      },
    },
  }
  return { hooks, changes }
}

const refusal = { code: 'invalid', issues: [{ path: 'fields.price', message: 'is too low' }] }
const isCheap = ({ after }: ItemChange) => Number(after?.fields['price']) < 1

describe.each(stores)('check, on %s', (_name, openStore) => {
  it('sees what the branch shows, before and after each write', async () => {
    const { hooks, changes } = watching()
    const { api } = await openShop(openStore, hooks)
    const { id } = await api.items.create(product)
    const on = { configId: 'shop', id }
    await api.items.update({ ...on, name: 'Green tea' })
    await api.items.publish(on)
    await api.items.delete(on)
    await api.items.undelete(on)
    const seen = changes.map(({ before, after }) => [
      before?.name,
      before?.status,
      after?.name,
      after?.status,
    ])
    expect(seen).toEqual([
      [undefined, undefined, 'Tea', 'draft'],
      ['Tea', 'draft', 'Green tea', 'draft'],
      ['Green tea', 'draft', 'Green tea', 'published'],
      ['Green tea', 'published', undefined, undefined],
      [undefined, undefined, 'Green tea', 'published'],
    ])
    expect(Object.isFrozen(changes[1]?.before?.fields)).toBe(true)
  })

  it('refuses a save, a merge and a scheduled publish, and nothing is changed', async () => {
    let isStrict = false
    const { hooks } = watching((change) => isStrict && isCheap(change))
    const { api, store, quire } = await openShop(openStore, hooks)
    const cheap = { ...product, fields: { price: 0 } }
    await api.packages.create({ repo: 'shop', name: 'sale' })
    await api.items.create({ ...cheap, name: 'Rice', packageName: 'sale' })
    const { id } = await api.items.create(cheap)
    const on = { configId: 'shop', id }
    isStrict = true
    const last = (await store.journal.readBack({ limit: 1 }))[0]?.sequence
    await expect(api.items.create(cheap)).rejects.toMatchObject(refusal)
    await expect(api.items.publish(on)).rejects.toMatchObject(refusal)
    await expect(api.packages.merge({ repo: 'shop', packageName: 'sale' })).rejects.toMatchObject(refusal)
    expect((await api.packages.get({ repo: 'shop', packageName: 'sale' })).state).toBe('open')
    expect((await api.items.list({ configId: 'shop' })).count).toBe(1)
    await api.items.publish({ ...on, at: Date.now() + 20 })
    quire.work()
    const published = async () => {
      const { items } = await api.queue.list({})
      return items.find(({ kind }) => kind === 'item.publish')?.state
    }
    await expect.poll(published, { timeout: 5000 }).toBe('failed')
    const rows = await store.journal.read({ after: last ?? 0, limit: 10 })
    expect(rows).toEqual([])
  })

  it('refuses lines of an import, and only those', async () => {
    const { api: from } = await openShop(openStore, {})
    const tea = await from.items.create(product)
    const rice = await from.items.create({ ...product, name: 'Rice', fields: { price: 0 } })
    const file = new File([await (await from.repositories.export({ id: 'shop' })).bytes()], 'shop.zip')
    const { hooks } = watching(isCheap)
    const { api } = await openShop(openStore, hooks)
    const { refuse } = await api.repositories.import({ id: 'shop', file })
    expect(refuse).toMatchObject([{ id: rice.id, message: expect.stringContaining('is too low') }])
    const { items } = await api.items.list({ configId: 'shop' })
    expect(items.map(({ id }) => id)).toEqual([tea.id])
  })

  it('is at fault when it returns a promise or throws', async () => {
    let fault: () => unknown = () => Promise.reject(new Error('too late'))
    const { api, logged } = await openShop(openStore, { item: { check: () => fault() as undefined } })
    await expect(api.items.create(product)).rejects.toMatchObject({ code: 'internal' })
    expect(logged).toContainEqual(
      expect.objectContaining({ hook: 'item.check', cause: expect.stringContaining('must be synchronous') }),
    )
    fault = () => {
      throw new Error('the password is 123')
    }
    const error = await api.items.create(product).catch((error: unknown) => String(error))
    expect(error).not.toContain('password')
    expect((await api.items.list({ configId: 'shop' })).count).toBe(0)
  })

  it('has the types of an app', async () => {
    const prices: (number | undefined)[] = []
    const hooks: Hooks<{ product: { price?: number }; secret: { code?: string } }> = {
      item: {
        check({ after }) {
          if (after?.type === 'product') prices.push(after.fields.price)
        },
      },
    }
    const { api } = await openShop(openStore, hooks)
    await api.items.create({ ...product, fields: { price: 3 } })
    expect(prices).toEqual([3])
  })

  it('runs for every kind', async () => {
    const seen: string[] = []
    const check = ({ kind }: { kind: string }) => void seen.push(kind)
    const { api } = await openShop(openStore, {
      folder: { check },
      taxonomy: { check },
      category: { check },
      site: { check },
      section: { check },
      page: { check },
    })
    const configId = 'shop'
    await api.folders.create({ configId, name: 'a' })
    const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'a' })
    await api.categories.create({ configId, taxonomyId, name: 'a' })
    const { id: siteId } = await api.sites.create({ configId, name: 'a', slug: 'a' })
    const { id: sectionId } = await api.sections.create({ configId, siteId, name: 'a' })
    await api.pages.create({ configId, siteId, sectionId, name: 'a' })
    expect(seen).toEqual(['folder', 'taxonomy', 'category', 'site', 'section', 'page'])
  })
})
