import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { dependencyTests } from './dependencies.ts'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** References to an item, dependencies, and the effects of a deletion. */
export function referenceTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const anAuthor = (name: string, more = {}) =>
    bench().system.items.create({ repositoryId: configId, type: 'author', name, ...more })
  const article = (name: string, fields: Record<string, unknown>, more = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name, ...(fields as object) }, ...more }))

  describe('references to an item', () => {
    it('are listed by item and field, with the effect of a deletion', async () => {
      const { references, items } = bench().api
      const target = await article('Pointed at', {})
      const one = await article('One', { related: [target.id, target.id], notes: target.id })
      const two = await article('Two', { related: [target.id], title: 'T' })
      await items.archive({ configId, id: two.id })
      const gone = await article('Gone', { related: [target.id] })
      await items.delete({ configId, id: gone.id })
      const list = await references.items({ configId, itemId: target.id })
      const summary = ({ id, name, type, slug }: typeof one, status: string) => ({
        id,
        name,
        type,
        slug,
        status,
      })
      expect(list).toEqual({
        count: 2,
        items: [
          { item: summary(one, 'draft'), path: 'related', onDelete: 'unset' },
          { item: summary(two, 'archived'), path: 'related', onDelete: 'unset' },
        ],
      })
      const author = await anAuthor('Ada')
      await article('By Ada', { author: author.id })
      const [holder] = (await references.items({ configId, itemId: author.id })).items
      expect(holder).toMatchObject({ path: 'author', onDelete: 'restrict' })
    })

    it('come in pages, each once while others write', async () => {
      const { references, items } = bench().api
      const target = await article('Paged', {})
      const names = ['a', 'b', 'c', 'd', 'e']
      const made = []
      for (const name of names) made.push(await article(name, { related: [target.id] }))
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await references.items({
          configId,
          itemId: target.id,
          limit: 2,
          skipCount: true,
          ...(cursor && { cursor }),
        })
        expect(page.count).toBeUndefined()
        seen.push(...page.items.map(({ item }) => item.name))
        cursor = page.nextCursor
        await items.update({ configId, id: made[0]?.id ?? '', description: `after ${seen.length}` })
      } while (cursor !== undefined)
      expect(seen).toEqual(names)
      expect((await references.items({ configId, itemId: target.id, limit: 1 })).count).toBe(5)
    })

    it('are those that the package shows', async () => {
      const { references, items, packages } = bench().api
      const packageName = 'pointing'
      await packages.create({ repo: configId, name: packageName })
      const target = await article('Seen twice', {})
      const stored = await article('Kept', { related: [target.id] })
      const dropped = await article('Dropped', { related: [target.id] })
      await items.update({ configId, packageName, id: dropped.id, fields: { related: [] } })
      await items.create(anArticle({ name: 'Added', packageName, fields: { related: [target.id] } }))
      const names = async (on: { packageName?: string }) => {
        const list = await references.items({ configId, itemId: target.id, ...on })
        expect(list.count).toBe(list.items.length)
        return list.items.map(({ item }) => item.name)
      }
      expect(await names({})).toEqual([stored.name, dropped.name])
      expect(await names({ packageName })).toEqual([stored.name, 'Added'])
      await failing(references.items({ configId, packageName: 'none', itemId: target.id }), 'not_found')
    })

    it('are listed and counted only as far as they may be read', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Reference insiders' })
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const target = await anAuthor('Ludwig')
      const open = await article('Open', { author: target.id })
      await article('Closed', { author: target.id }, { readPerm: [role.id] })
      const seenBy = async (api: Api) => {
        const { count, items, nextCursor } = await api.references.items({
          configId,
          itemId: target.id,
          limit: 1,
        })
        return { count, ids: items.map(({ item }) => item.id), nextCursor }
      }
      const viewer = await as({ bundles: ['bundle.viewer'] })
      expect(await seenBy(viewer)).toEqual({ count: 1, ids: [open.id], nextCursor: undefined })
      const byType = await as({ permissions: { repos: { [`${repositoryId}:author`]: ['items.read'] } } })
      expect(await seenBy(byType)).toEqual({ count: 0, ids: [], nextCursor: undefined })
    })
  })

  describe('items that the caller may not read', () => {
    it('are treated as absent in references and dependencies', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Nobody' })
      await system.repositories.create({ name: 'elsewhere' })
      const secret = await anAuthor('Secret', { readPerm: [role.id] })
      const { id: elsewhere } = await system.items.create({
        repositoryId: 'elsewhere',
        type: 'author',
        name: 'Elsewhere',
      })
      const deleted = await anAuthor('Deleted')
      await system.items.delete({ configId, id: deleted.id })
      const viewer = await as({ bundles: ['bundle.viewer'] })
      const messages = new Set<string>()
      for (const itemId of [secret.id, elsewhere, deleted.id, nowhere]) {
        const { references, dependencies } = viewer
        const calls = [references.items({ configId, itemId }), dependencies.get({ configId, itemId })]
        const errors = await Promise.all(calls.map((call) => failing(call, 'not_found')))
        for (const { message } of errors) messages.add(message)
      }
      expect(messages.size).toBe(1)
    })

    it('are not hidden by silent limits: invalid limits and cursors are refused by name', async () => {
      const { references, dependencies } = bench().api
      const { id: itemId } = await article('Bounded', {})
      for (const limit of [0, -1, 1001, 1e9, 1.5, NaN])
        expect(await invalidAt(references.items({ configId, itemId, limit }))).toEqual(['limit'])
      for (const depth of [0, -1, 11, 1.5, NaN])
        expect(await invalidAt(dependencies.get({ configId, itemId, depth }))).toEqual(['depth'])
      for (const cursor of ['x', 'a.b', 'W10'])
        expect(await invalidAt(references.items({ configId, itemId, cursor }))).toEqual(['cursor'])
    })
  })

  describe('a dry run of a deletion', () => {
    it('lists all its effects, even if something prevents it', async () => {
      const { items } = bench().api
      const target = await anAuthor('Tried')
      const holder = await article('Holder', { author: target.id })
      const other = await article('Other', { related: [target.id] })
      const named = ({ id, name, type }: typeof holder, path: string) => ({ id, name, type, path })
      const dryRun = true
      const held = await items.delete({ configId, id: target.id, dryRun })
      const impact = { restrict: [named(holder, 'author')], unset: [named(other, 'related')], ignore: [] }
      expect(held).toEqual({ deleted: target, wouldFail: true, ...impact })
      const bulk = await items.bulk({ configId, action: 'delete', ids: [target.id, holder.id], dryRun })
      expect(bulk).toMatchObject({
        succeeded: 1,
        failed: 1,
        outcomes: [
          { id: target.id, ok: false, impact, error: { code: 'referenced' } },
          { id: holder.id, ok: true, impact: { restrict: [], unset: [], ignore: [] } },
        ],
      })
      expect(await items.get({ configId, id: other.id })).toEqual(other)
      await items.delete({ configId, id: holder.id })
      const free = await items.delete({ configId, id: target.id, dryRun })
      expect(free).toEqual({ deleted: target, wouldFail: false, ...impact, restrict: [] })
      expect(await items.get({ configId, id: other.id })).toEqual(other)
    })

    it('does not list or count what the caller may not read', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Holders' })
      const target = await anAuthor('Half seen')
      const seen = await article('Seen', { author: target.id })
      await article('Unseen', { author: target.id }, { readPerm: [role.id] })
      const editor = await as({ bundles: ['bundle.editor'] })
      const at = { configId, id: target.id }
      const plan = await editor.items.delete({ ...at, dryRun: true })
      expect(plan?.restrict.map(({ id }) => id)).toEqual([seen.id])
      const { details, message } = await failing(editor.items.delete(at), 'referenced')
      expect(details).toEqual({ count: 1, holders: [{ id: seen.id, path: 'author' }] })
      expect(message).not.toMatch(/\d/)
    })
  })

  dependencyTests(bench)
}
