import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import { anArticle } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'

/** The log of a repository. The magazine must be prepared. */
export function logTests(bench: () => Bench): void {
  const article = (name: string, more = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name }, ...more }))

  /** What a caller sees of an entity, as `event name`. */
  const seenOf = async (api: Api, entityId: string) => {
    const { items, count } = await api.activity.list({ configId, entityId })
    expect(count).toBe(items.length)
    return items.map(({ event, entity }) => `${event} ${entity.name}`)
  }

  describe('the log of a repository', () => {
    it('records who did what, when and from where, newest first', async () => {
      const { api, scope } = bench()
      const { name: packageName } = await api.packages.create({ repo: configId, name: 'logged' })
      const item = await api.items.create(anArticle({ name: 'Logged', packageName, comment: 'Why not' }), {
        requestId: 'log-1',
      })
      await api.items.update({ configId, packageName, id: item.id, name: 'Renamed' })
      const preset = await api.renditionPresets.create({ configId, name: 'logged', width: 10 })
      const { items } = await api.activity.list({ configId, limit: 4 })
      const about = { timestamp: new Date(scope.clock.now()).toISOString(), user: item.createdByUser }
      expect(items).toMatchObject([
        {
          ...about,
          event: 'RENDITION_PRESET_CREATED',
          entity: { kind: 'renditionPreset', name: preset.name },
        },
        { ...about, event: 'ITEM_UPDATED', packageName, version: '2' },
        {
          ...about,
          event: 'ITEM_CREATED',
          entity: { kind: 'item', id: item.id, type: 'article', name: 'Renamed' },
          version: '1',
          status: 'draft',
          packageName,
          requestId: 'log-1',
          comment: 'Why not',
        },
        {
          event: 'PACKAGE_CREATED',
          entity: { kind: 'package', type: null, name: packageName },
          version: null,
          status: null,
          packageName: null,
        },
      ])
      const address = await ownAddress(api)
      expect(items.map((entry) => entry.address)).toEqual([address, address, address, address])
    })

    it('can be filtered by entity, user, event, package and time', async () => {
      const { system, as, scope } = bench()
      const { activity } = bench().api
      await system.packages.create({ repo: configId, name: 'narrow' })
      const other = await as({ bundles: ['bundle.administrator'] })
      scope.clock.advance(60_000)
      const since = scope.clock.now()
      const one = await article('Narrowed')
      const two = await other.items.create(anArticle({ name: 'By another', packageName: 'narrow' }))
      scope.clock.advance(60_000)
      const until = scope.clock.now()
      await system.items.update({ configId, id: one.id, name: 'Narrowed later' })
      const ids = async (filter: Partial<Parameters<typeof activity.list>[0]>) => {
        const { items, count, nextCursor } = await activity.list({ configId, ...filter })
        expect({ count, nextCursor }).toEqual({ count: items.length })
        return items.map(({ event, entity }) => `${event} ${entity.id}`)
      }
      expect(await ids({ entityId: one.id })).toEqual([`ITEM_UPDATED ${one.id}`, `ITEM_CREATED ${one.id}`])
      expect(await ids({ user: two.createdByUser.userName })).toEqual([`ITEM_CREATED ${two.id}`])
      expect(await ids({ since, until })).toEqual([`ITEM_CREATED ${two.id}`, `ITEM_CREATED ${one.id}`])
      expect(await ids({ since: until, event: 'ITEM_UPDATED' })).toEqual([`ITEM_UPDATED ${one.id}`])
      expect(await ids({ since: until, event: 'ITEM_CREATED' })).toEqual([])
      const { id: packageId } = await system.packages.get({ repo: configId, packageName: 'narrow' })
      expect(await ids({ packageName: 'narrow' })).toEqual([
        `ITEM_CREATED ${two.id}`,
        `PACKAGE_CREATED ${packageId}`,
      ])
      await failing(activity.list({ configId, packageName: 'none' }), 'not_found')
      await failing(activity.list({ configId: 'none' }), 'not_found')
    })

    it('goes back to a time without reading later entries', async () => {
      const { system, scope } = bench()
      const old = await article('Old')
      const until = scope.clock.now() + 1
      const day = 24 * 60 * 60 * 1000
      for (let days = 0; days < 5; days += 1) {
        scope.clock.advance(day)
        await system.items.update({ configId, id: old.id, name: `Day ${days}` })
      }
      const fresh = await bench().as({ bundles: ['bundle.administrator'] })
      const { items } = await fresh.activity.list({ configId, until, limit: 1 })
      expect(items).toMatchObject([{ event: 'ITEM_CREATED', entity: { id: old.id } }])
      expect((await fresh.activity.list({ configId, until: 0 })).items).toEqual([])
    })

    it('comes in pages, each entry once while others write', async () => {
      const { system } = bench()
      const api = await bench().as({ bundles: ['bundle.administrator'] })
      const { id } = await article('p0')
      const write = (comment: string) => system.items.update({ configId, id, name: comment, comment })
      for (const name of ['p1', 'p2', 'p3', 'p4']) await write(name)
      const { count: before } = await api.activity.list({ configId, limit: 1 })
      const counts = new Set<number | undefined>()
      const seen: (string | undefined)[] = []
      let cursor: string | undefined
      do {
        const page = await api.activity.list({ configId, limit: 3, ...(cursor && { cursor }) })
        counts.add(page.count)
        seen.push(...page.items.filter(({ entity }) => entity.id === id).map(({ comment }) => comment))
        cursor = page.nextCursor
        if (seen.length < 20) await write('later')
      } while (cursor !== undefined)
      expect(seen).toEqual(['p4', 'p3', 'p2', 'p1', undefined])
      expect([...counts]).toEqual([before])
    })

    it('has a count with each page, unless the caller declines it', async () => {
      const api = await bench().as({ bundles: ['bundle.administrator'] })
      const wanted = { configId, limit: 1, event: 'ITEM_CREATED' as const }
      const first = await api.activity.list({ ...wanted, skipCount: true })
      expect(first).not.toHaveProperty('count')
      const cursor = first.nextCursor ?? ''
      expect(await api.activity.list({ ...wanted, cursor, skipCount: true })).not.toHaveProperty('count')
      const { count } = await api.activity.list({ ...wanted, cursor })
      expect(count).toBe((await api.activity.list({ ...wanted, limit: 1000 })).items.length)
      // A count applies to its own filter only.
      const counted = await api.activity.list(wanted)
      const other = await api.activity.list({
        configId,
        event: 'SITE_PUBLISHED',
        cursor: counted.nextCursor ?? '',
      })
      expect(other).toEqual({ count: 0, items: [] })
    })

    it('refuses invalid limits, times, events and cursors', async () => {
      const { activity, items } = await bench().as({ bundles: ['bundle.administrator'] })
      for (const limit of [0, -1, 1001, 1e9, 1.5, NaN])
        expect(await invalidAt(activity.list({ configId, limit }))).toEqual(['limit'])
      const { id: assetId } = await article('Not a log')
      await items.update({ configId, id: assetId, name: 'Not the log' })
      const { nextCursor = '' } = await activity.get({ configId, assetId, limit: 1 })
      for (const cursor of ['x', 'MQ', nextCursor])
        expect(await invalidAt(activity.list({ configId, cursor }))).toEqual(['cursor'])
      expect(await invalidAt(activity.list({ configId, since: -1, until: 0.5 }))).toEqual(['since', 'until'])
      const event = 'ITEM_BURNT' as 'ITEM_CREATED'
      expect(await invalidAt(activity.list({ configId, event }))).toEqual(['event'])
    })
  })

  describe('the log of a repository shows', () => {
    it('nothing without its key, and each reader what they may read', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Log insiders' })
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const open = await article('Open')
      const closed = await article('Closed', { readPerm: [role.id] })
      const author = await system.items.create({ repositoryId: configId, type: 'author', name: 'Author' })
      await system.packages.create({ repo: configId, name: 'unseen' })
      const inside = await article('Inside', { packageName: 'unseen' })
      const reader = await as({ permissions: { global: ['items.read'] } })
      await failing(reader.activity.list({ configId }), 'forbidden')

      const editor = await as({ bundles: ['bundle.editor'] })
      expect(await seenOf(editor, open.id)).toEqual(['ITEM_CREATED Open'])
      expect(await seenOf(editor, closed.id)).toEqual([])
      expect(await seenOf(editor, inside.id)).toEqual(['ITEM_CREATED Inside'])

      const keys = ['activity.view']
      const limited = await as({
        permissions: { repos: { [repositoryId]: keys, [`${repositoryId}:author`]: ['items.read'] } },
      })
      expect(await seenOf(limited, author.id)).toEqual(['ITEM_CREATED Author'])
      const { items, count } = await limited.activity.list({ configId, limit: 1000 })
      expect(count).toBe(items.length)
      const kinds = new Set(items.map(({ entity }) => `${entity.kind} ${entity.type}`))
      expect(kinds).toEqual(new Set(['item author', 'repository null']))
      expect(items.every(({ packageName }) => packageName === null)).toBe(true)
      await failing(limited.activity.list({ configId, packageName: 'unseen' }), 'forbidden')
    })

    it('deleted entities as before, and purged ones only if they were readable by all', async () => {
      const { system, as, scope } = bench()
      const role = await system.roles.create({ name: 'Once insiders' })
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const open = await article('Open once')
      const closed = await article('Closed at last')
      await system.items.update({ configId, id: closed.id, readPerm: [role.id] })
      for (const { id } of [open, closed]) await system.items.delete({ configId, id })
      const editor = await as({ bundles: ['bundle.editor'] })
      expect(await seenOf(editor, open.id)).toEqual(['ITEM_DELETED Open once', 'ITEM_CREATED Open once'])
      expect(await seenOf(editor, closed.id)).toEqual([])
      const branch = { repositoryId, packageId: null }
      await scope.store.transaction(async (tx) => {
        for (const { id } of [open, closed]) await tx.entities.purge(branch, { kind: 'item', id })
      })
      expect(await seenOf(editor, open.id)).toEqual(['ITEM_DELETED null', 'ITEM_CREATED null'])
      expect(await seenOf(editor, closed.id)).toEqual([])
    })

    it('the changes of a deleted package, as far as they were readable by all', async () => {
      const { system, as } = bench()
      const role = await system.roles.create({ name: 'Package insiders' })
      const packageName = 'short-lived'
      await system.packages.create({ repo: configId, name: packageName })
      const open = await article('Came and went', { packageName })
      const closed = await article('Came unseen', { packageName, readPerm: [role.id] })
      const editor = await as({ bundles: ['bundle.editor'] })
      await system.packages.delete({ repo: configId, packageName })
      expect(await seenOf(editor, open.id)).toEqual(['ITEM_CREATED null'])
      expect(await seenOf(editor, closed.id)).toEqual([])
      const { items } = await editor.activity.list({ configId, entityId: open.id })
      expect(items).toMatchObject([{ packageName }])
    })

    it('nothing of other repositories', async () => {
      const { system, as } = bench()
      const repository = await system.repositories.create({ name: 'next-door' })
      const { id } = await system.items.create({
        repositoryId: 'next-door',
        type: 'author',
        name: 'Neighbour',
      })
      const api = await as({ bundles: ['bundle.administrator'] })
      expect(await seenOf(api, id)).toEqual([])
      const { items } = await api.activity.list({ configId: 'next-door' })
      expect(items.map(({ event }) => event)).toEqual(['ITEM_CREATED', 'REPOSITORY_CREATED'])
      const ofOne = await as({ permissions: { repos: { [repository.id]: ['items.read', 'activity.view'] } } })
      expect((await ofOne.activity.list({ configId: 'next-door' })).items).toHaveLength(2)
      await failing(ofOne.activity.list({ configId }), 'not_found')
    })
  })
}

/** The address that the service sees for us; the security log records it, too. */
async function ownAddress({ groups, security }: Api): Promise<string | null> {
  const { id } = await groups.create({ name: 'addressed' })
  const { items } = await security.audit({ limit: 100 })
  return items.find(({ entityId }) => entityId === id)?.address ?? null
}
