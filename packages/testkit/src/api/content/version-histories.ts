import type { Api, Item } from '@quire/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepareMagazine } from '../delivery/magazine.ts'
import { articlesOnMain, inPackage, newPackage, onMain } from '../branches/package-steps.ts'
import { codeOf, type Bench } from '../host.ts'
import { expectNumbersAskable, type ItemOnBranch } from './version-numbers.ts'

/** Invariants of version numbers in random histories on main and in a package. */
export function versionHistoryTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const anArticleOnMain = articlesOnMain(bench)

  describe('the numbers of versions on main and in a package', () => {
    it('can all be read, whatever happened on either branch', async () => {
      const { api } = bench()
      const steps = fc.array(fc.record({ does: fc.constantFrom(...deeds), value: fc.nat(40) }), {
        minLength: 4,
        maxLength: 14,
      })
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const item = await anArticleOnMain('Any', { price: 0 })
          const ref = await newPackage(api)
          const on = { main: onMain(item), there: inPackage(item, ref.packageName) }
          const below = new Map<string, Item>()
          for (const { does, value } of all) {
            await done(calls[does](api, { ...on, ref, value }))
            for (const at of [on.main, on.there]) await expectNumbersAskable(api, at)
            await expectUnchanged(api, { at: on.main, below })
          }
        }),
        { numRuns: 5 },
      )
    })
  })
}

/** Checks that a version of main has not changed since it was first read. */
async function expectUnchanged(
  api: Api,
  { at, below }: { at: ItemOnBranch; below: Map<string, Item> },
): Promise<void> {
  const { items } = await api.items.versions({ ...at, limit: 1000 })
  for (const { version } of items) {
    const key = String(version)
    const is = (await api.items.get({ ...at, version: key })) as Item
    const was = below.get(key) ?? is
    below.set(key, was)
    expect([is.fields, is.updatedDate]).toEqual([was.fields, was.updatedDate])
  }
}

interface JobContext {
  readonly main: ItemOnBranch
  readonly there: ItemOnBranch
  readonly ref: { readonly repo: string; readonly packageName: string }
  readonly value: number
}

// The branches edit different members, so that merges do not conflict.
const calls = {
  editMain: (api: Api, { main, value }: JobContext) =>
    api.items.update({ ...main, fields: { notes: `${value}` } }),
  editThere: (api: Api, { there, value }: JobContext) =>
    api.items.update({ ...there, fields: { price: value } }),
  publishMain: (api: Api, { main }: JobContext) => api.items.publish(main),
  publishThere: (api: Api, { there }: JobContext) => api.items.publish(there),
  unpublishMain: (api: Api, { main }: JobContext) => api.items.unpublish(main),
  unpublishThere: (api: Api, { there }: JobContext) => api.items.unpublish(there),
  archiveThere: (api: Api, { there }: JobContext) => api.items.archive(there),
  unarchiveThere: (api: Api, { there }: JobContext) => api.items.unarchive(there),
  restoreThere: async (api: Api, { there, value }: JobContext) => {
    const { items } = await api.items.versions({ ...there, limit: 1000 })
    const chosen = items[value % items.length]
    return api.items.restore({ ...there, version: chosen?.version ?? 1 })
  },
  addItem: (api: Api, { ref, main: { id } }: JobContext) => api.packages.addItem({ ...ref, id }),
  removeChange: (api: Api, { ref, main: { id } }: JobContext) =>
    api.packages.removeChange({ ...ref, entityId: id }),
  sync: (api: Api, { ref }: JobContext) => api.packages.sync(ref),
}

const deeds = [
  ...(Object.keys(calls) as (keyof typeof calls)[]),
  'editMain',
  'editThere',
  'publishMain',
  'sync',
] as const

const refusals: ReadonlySet<string> = new Set(['invalid_state', 'not_found', 'merge_conflict'])

/** Ignores the refusal of a step that is not possible. Rethrows other errors. */
async function done(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!refusals.has(codeOf(error))) throw error
  }
}
