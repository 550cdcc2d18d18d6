import type { Api, Item } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { anArticle } from '../api/delivery/magazine.ts'
import { openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'

const configId = repo
const packageName = 'branch'
const ref = { repo, packageName }
const revert = { repo, packageName: `revert-${packageName}` }

type Fields = NonNullable<Parameters<Api['items']['create']>[0]['fields']>

/** An engine with an open package, and short helpers for main and the package. */
async function openBranch() {
  const engine = await openMagazine()
  const { api } = engine
  await api.packages.create({ repo, name: packageName })
  return {
    ...engine,
    onMain: ({ id }: Pick<Item, 'id'>) => ({ configId, id }),
    inPackage: ({ id }: Pick<Item, 'id'>) => ({ configId, id, packageName }),
    anItem: (name: string, fields: Fields = { title: name }) =>
      api.items.create(anArticle({ name, slug: name, fields })),
    itemOf: (type: string, name: string, fields: Fields) =>
      api.items.create({ repositoryId: repo, type, name, fields }),
  }
}

async function eventsOnMain({ store }: MagazineEngine, { id }: Item): Promise<string[]> {
  const rows = await store.journal.read({ after: 0, limit: 1000, entityId: id })
  return rows.filter((row) => row.packageId === null).map(({ event }) => event)
}

const codeOfCall = async (call: Promise<unknown>) => (await outcomeOf(call)).code

describe('a merge writes nothing that main already has', () => {
  it('when both sides made the same edit', async () => {
    const { api, anItem, onMain, inPackage, ...engine } = await openBranch()
    const item = await anItem('same')
    await api.items.update({ ...inPackage(item), fields: { price: 5 } })
    await api.items.update({ ...onMain(item), fields: { price: 5 } })
    expect((await api.packages.merge(ref)).changes).toEqual([])
    expect((await api.items.get(onMain(item))).latestVersion).toBe(2)
    expect(await eventsOnMain({ api, ...engine }, item)).toEqual(['ITEM_CREATED', 'ITEM_UPDATED'])
  })

  it('when the sides changed only the state: no version is made', async () => {
    const { api, anItem, onMain, inPackage, ...engine } = await openBranch()
    const item = await anItem('marks')
    await api.items.publish(inPackage(item))
    await api.items.archive(onMain(item))
    await api.packages.merge(ref)
    expect(await api.items.get(onMain(item))).toMatchObject({ latestVersion: 1, isPublished: true })
    expect(await eventsOnMain({ api, ...engine }, item)).not.toContain('ITEM_UPDATED')
  })
})

describe('a merge of JSON values', () => {
  it('applies null members of a JSON value, which differ from absent ones', async () => {
    const { api, itemOf, onMain, inPackage } = await openBranch()
    await api.types.create({ name: 'settings', fields: [{ name: 'data', kind: 'json' }] })
    const item = await itemOf('settings', 'nulls', { data: [{ k: 1 }] })
    await api.items.update({ ...inPackage(item), fields: { data: [{ k: 1, x: null }] } })
    await api.packages.merge(ref)
    expect((await api.items.get(onMain(item))).fields).toEqual({ data: [{ k: 1, x: null }] })
  })
})

describe('a merge of an item that the package published and then deleted', () => {
  it('does not check whether it could be published', async () => {
    const { api, anItem, inPackage } = await openBranch()
    const item = await anItem('incomplete', {})
    await api.items.update({ ...inPackage(item), fields: { title: 'Complete' } })
    await api.items.publish(inPackage(item))
    await api.items.delete(inPackage(item))
    expect(await codeOfCall(api.packages.merge(ref))).toBe('done')
  })

  it('publishes nothing: restored on main, the item is the draft that it was', async () => {
    const { api, anItem, inPackage, onMain } = await openBranch()
    const item = await anItem('draft')
    await api.items.publish(inPackage(item))
    await api.items.delete(inPackage(item))
    const { changes } = await api.packages.merge(ref)
    expect(changes).toMatchObject([{ kind: 'delete', published: false }])
    expect(await api.items.undelete(onMain(item))).toMatchObject({ isPublished: false, status: 'draft' })
  })
})

describe('slugs that moved from one item to another', () => {
  const handOn = async ({ api, anItem, inPackage, onMain }: Awaited<ReturnType<typeof openBranch>>) => {
    const [first, second] = [await anItem('first'), await anItem('second')]
    return async (where: 'main' | 'package') => {
      const at = where === 'main' ? onMain : inPackage
      if (where === 'main') for (const { id } of [first, second]) await api.packages.addItem({ ...ref, id })
      await api.items.update({ ...at(first), slug: 'third' })
      await api.items.update({ ...at(second), slug: 'first' })
      await api.items.update({ ...at(first), slug: 'second' })
      return [first, second] as const
    }
  }

  it('in a merged package move back with its revert', async () => {
    const branch = await openBranch()
    const { api, onMain } = branch
    const [first, second] = await (await handOn(branch))('package')
    await api.packages.merge(ref)
    expect(await codeOfCall(api.packages.revert(ref))).toBe('done')
    await api.packages.merge(revert)
    const slugs = await Promise.all(
      [first, second].map(async (item) => (await api.items.get(onMain(item))).slug),
    )
    expect(slugs).toEqual(['first', 'second'])
  })

  it('on main move in the package, too, with a sync', async () => {
    const branch = await openBranch()
    const { api, inPackage } = branch
    const [first, second] = await (await handOn(branch))('main')
    expect(await codeOfCall(api.packages.sync(ref))).toBe('done')
    const slugs = await Promise.all(
      [first, second].map(async (item) => (await api.items.get(inPackage(item))).slug),
    )
    expect(slugs).toEqual(['second', 'first'])
  })
})

describe('a unique value that the package gave to another item', () => {
  it.each(['a new value', 'a delete'])(
    'is merged when it was freed by %s, because no conflict was reported',
    async (how) => {
      const { api, itemOf, inPackage, onMain } = await openBranch()
      const [taker, giver] = [
        await itemOf('author', 'taker', { email: 'taker@example.org' }),
        await itemOf('author', 'giver', { email: 'giver@example.org' }),
      ]
      if (how === 'a delete') await api.items.delete(inPackage(giver))
      else await api.items.update({ ...inPackage(giver), fields: { email: 'new@example.org' } })
      await api.items.update({ ...inPackage(taker), fields: { email: 'giver@example.org' } })
      expect(await api.packages.conflicts(ref)).toMatchObject({ count: 0 })
      expect(await codeOfCall(api.packages.merge(ref))).toBe('done')
      expect((await api.items.get(onMain(taker))).fields).toEqual({ email: 'giver@example.org' })
    },
  )
})

describe('adding a published item to a package without changes', () => {
  it('does not change what the package shows of it', async () => {
    const { api, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('published')
    await api.items.publish(onMain(item))
    const visible = async () => {
      const { status, isPublished, isPreview, isLatestPublished, publishedDate } = await api.items.get(
        inPackage(item),
      )
      const { count } = await api.items.list({ configId, packageName, filter: { status: 'published' } })
      return { status, isPublished, isPreview, isLatestPublished, publishedDate, count }
    }
    const before = await visible()
    await api.packages.addItem({ ...ref, id: item.id })
    expect(await visible()).toEqual(before)
  })
})

describe('a sync with an item that main published meanwhile', () => {
  it('shows when it was published', async () => {
    const { api, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('meanwhile')
    await api.items.update({ ...inPackage(item), name: 'Changed here' })
    const { publishedDate } = await api.items.publish(onMain(item))
    await api.packages.sync(ref)
    expect(await api.items.get(inPackage(item))).toMatchObject({ isPublished: true, publishedDate })
  })
})

describe('a revert of an unpublish', () => {
  it('publishes the formerly published version again, even with a newer draft', async () => {
    const { api, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('behind')
    await api.items.publish(onMain(item))
    await api.items.update({ ...onMain(item), name: 'A newer draft' })
    await api.items.unpublish(inPackage(item))
    await api.packages.merge(ref)
    await api.packages.revert(ref)
    await api.packages.merge(revert)
    expect(await api.items.get(onMain(item))).toMatchObject({ isPublished: true, name: 'A newer draft' })
  })
})

describe('resolutions', () => {
  it('for all reported conflicts are accepted, even when one makes another unnecessary', async () => {
    const { api, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('whole')
    await api.items.update({ ...inPackage(item), slug: 'wanted' })
    await api.items.delete(onMain(item))
    await anItem('wanted')
    const { items } = await api.packages.conflicts(ref)
    expect(items.map(({ path, kind }) => `${path} ${kind}`)).toEqual([' deleted_on_main', 'slug slug_taken'])
    const resolutions = [
      { id: item.id, path: '', use: 'theirs' as const },
      { id: item.id, path: 'slug', value: 'other' },
    ]
    expect(await codeOfCall(api.packages.merge({ ...ref, resolutions }))).toBe('done')
  })

  it('with a value for the published version are refused or applied', async () => {
    const { api, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('pinned')
    await api.items.publish(onMain(item))
    await api.items.unpublish(inPackage(item))
    await api.items.update({ ...onMain(item), name: 'Published anew' })
    await api.items.publish(onMain(item))
    const resolutions = [{ id: item.id, path: 'publishedVersion', value: null }]
    const code = await codeOfCall(api.packages.merge({ ...ref, resolutions }))
    const { isPublished } = await api.items.get(onMain(item))
    expect({ code, isPublished }).toEqual({
      code: expect.stringMatching('done|invalid'),
      isPublished: code !== 'done',
    })
  })

  it('of a missing reference within blocks resolve it and keep the other blocks', async () => {
    const { api, anItem, itemOf, onMain, inPackage } = await openBranch()
    await api.types.create({
      name: 'blocky',
      fields: [
        {
          name: 'blocks',
          kind: 'union',
          list: true,
          settings: {
            variants: [{ name: 'link', fields: [{ name: 'to', kind: 'reference' }] }],
          },
        },
      ],
    })
    const [stored, gone] = [await anItem('kept'), await anItem('gone')]
    const first = { type: 'link', to: stored.id }
    const item = await itemOf('blocky', 'blocks', { blocks: [first] })
    await api.items.update({ ...inPackage(item), fields: { blocks: [first, { type: 'link', to: gone.id }] } })
    await api.items.delete(onMain(gone))
    const { items } = await api.packages.conflicts(ref)
    expect(items).toMatchObject([{ kind: 'missing_target' }])
    const resolutions = items.map(({ path }) => ({ id: item.id, path, use: 'theirs' as const }))
    expect(await codeOfCall(api.packages.merge({ ...ref, resolutions }))).toBe('done')
    expect((await api.items.get(onMain(item))).fields).toEqual({ blocks: [first] })
  })

  it('of members with dots in their names apply the chosen side', async () => {
    const { api, itemOf, onMain, inPackage } = await openBranch()
    await api.types.create({ name: 'settings', fields: [{ name: 'data', kind: 'json' }] })
    const item = await itemOf('settings', 'dots', { data: { 'a.b': 1 } })
    await api.items.update({ ...inPackage(item), fields: { data: { 'a.b': 2 } } })
    await api.items.update({ ...onMain(item), fields: { data: { 'a.b': 3 } } })
    const { items } = await api.packages.conflicts(ref)
    const resolutions = items.map(({ path }) => ({ id: item.id, path, use: 'theirs' as const }))
    await api.packages.merge({ ...ref, resolutions })
    expect((await api.items.get(onMain(item))).fields).toEqual({ data: { 'a.b': 3 } })
  })

  it('with ours for an item that main purged create it again, unpublished', async () => {
    const { api, store, anItem, onMain, inPackage } = await openBranch()
    const item = await anItem('purged')
    await api.items.update({ ...onMain(item), name: 'Again' })
    await api.items.publish(onMain(item))
    await api.items.update({ ...inPackage(item), name: 'Ours' })
    await store.transaction((tx) =>
      tx.entities.purge({ repositoryId: item.repositoryId, packageId: null }, { kind: 'item', id: item.id }),
    )
    await api.packages.merge({ ...ref, resolutions: [{ id: item.id, use: 'ours' }] })
    expect(await api.items.get(onMain(item))).toMatchObject({ latestVersion: 1, isPublished: false })
  })
})
