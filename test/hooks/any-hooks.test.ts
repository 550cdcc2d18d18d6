import { setTimeout } from 'node:timers/promises'
import { QuireError } from '@quire/contract'
import { createQuire, refuse, type Hooks, type KindHooks } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openShop, product, stores } from './shop.ts'

/** What a hook does, whatever the save. */
const behaviours = {
  nothing: () => undefined,
  throws: () => {
    throw new TypeError('broken')
  },
  throwsText: () => {
    throw 'broken' as unknown as Error
  },
  throwsQuireError: () => {
    throw new QuireError('not_found', 'no such thing')
  },
  refuses: () => {
    throw refuse([{ path: 'name', message: 'is not wanted' }])
  },
  refusesWrongly: () => {
    throw refuse('no' as unknown as [])
  },
  hangs: () => new Promise<undefined>(() => undefined),
  isSlow: () => setTimeout(3, undefined),
} as const

const results: readonly unknown[] = [
  undefined,
  null,
  7,
  'text',
  [],
  {},
  () => undefined,
  { ...product, name: 'Rice' },
  { ...product, fields: { price: 'low' } },
  { ...product, packageName: 'none' },
  { ...product, type: 'none' },
  { ...product, slug: '\0' },
  { ...product, unknown: 1n },
]

const behaviour = fc.constantFrom(...Object.values(behaviours))
const before = fc.oneof(
  behaviour,
  fc.constantFrom(...results).map((result) => () => result as object),
)

const possible = new Set(['invalid', 'internal', 'unavailable', 'not_found', 'forbidden', 'slug_taken'])

describe.each(stores)('whatever hooks do, on %s,', (_name, openStore) => {
  it('a save happens as a whole or not at all, and its error is one of the API', async () => {
    let item: KindHooks<'item'> = {}
    const { api, store, quire } = await openShop(openStore, {
      timeoutMs: 15,
      get item() {
        return item
      },
    })
    const { id } = await api.items.create(product)
    const on = { configId: 'shop', ids: [id], action: 'update' as const, input: { description: 'x' } }
    const saves = [
      () => api.items.create(product),
      () => api.items.create(product, { idempotencyKey: 'key' }),
      () => api.items.bulk({ ...on, atomic: true }),
      () => api.items.bulk({ ...on, dryRun: true }),
      () => api.items.publish({ configId: 'shop', id }),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.record({ before, check: behaviour, after: behaviour }),
        fc.constantFrom(...saves),
        async (hooks, save) => {
          item = hooks
          const last = (await store.journal.readBack({ limit: 1 }))[0]?.sequence ?? 0
          const error: unknown = await save().then(
            () => null,
            (error: unknown) => error,
          )
          item = {}
          await quire.settled()
          const rows = await store.journal.read({ after: last, limit: 10 })
          const code = error instanceof QuireError ? error.code : error === null ? null : 'other'
          expect(code === null || possible.has(code)).toBe(true)
          expect(code !== null && rows.length > 0).toBe(false)
          // Nothing holds the store: the next save works.
          await api.folders.create({ configId: 'shop', name: `Folder ${rows.length} ${Math.random()}` })
        },
      ),
      { numRuns: 120 },
    )
  }, 60_000)
})

it.each([
  [{ items: {} }, 'hooks.items would never be called'],
  [{ item: { chek: () => undefined } }, 'hooks.item.chek would never be called'],
])('a name that is none is refused when the engine is created: %j', (hooks, message) => {
  expect(() => createQuire({ store: createMemoryStore(), hooks: hooks as Hooks })).toThrow(message)
})
