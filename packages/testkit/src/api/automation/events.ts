import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allOf, firstOf, reading } from './following.ts'
import { failing, invalidAt } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { everything, type Bench } from '../host.ts'

const configId = 'magazine'

type EventInput = Parameters<Api['events']['stream']>[0]

export function eventTests(bench: () => Bench): void {
  beforeAll(async () => {
    await prepareMagazine(bench().system)
    await bench().system.repositories.create({ name: 'elsewhere' })
  })

  const article = (name: string, more = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name }, ...more }))
  const author = (name: string, repositoryId = configId) =>
    bench().system.items.create({ repositoryId, type: 'author', name })
  const following = (api: Api, input: EventInput = {}) =>
    api.events.stream({ repositories: [configId], ...input })

  describe('a stream of events', () => {
    it('reports what others do, in order', async () => {
      const { api, system, scope } = bench()
      const stream = await following(api)
      const { name: packageName } = await system.packages.create({ repo: configId, name: 'told live' })
      const item = await article('Live')
      await system.items.publish({ configId, id: item.id })
      await system.folders.create({ configId, packageName, name: 'Live' })
      await system.renditionPresets.create({ configId, name: 'live', width: 10 })
      const events = await firstOf(stream, 5)
      expect(events.map(({ event }) => event)).toEqual([
        'PACKAGE_CREATED',
        'ITEM_CREATED',
        'ITEM_PUBLISHED',
        'FOLDER_CREATED',
        'RENDITION_PRESET_CREATED',
      ])
      expect(events[2]).toEqual({
        id: expect.any(String),
        event: 'ITEM_PUBLISHED',
        repositoryId: item.repositoryId,
        packageName: null,
        entityId: item.id,
        entityType: 'article',
        version: '1',
        status: 'published',
        date: scope.clock.now(),
        user: item.createdByUser,
      })
      expect(events[3]).toMatchObject({ packageName, entityType: 'folder' })
      expect(events[0]).toMatchObject({
        packageName: null,
        entityType: 'package',
        version: null,
        status: null,
      })
    })

    it('begins when it is requested, not when it is read', async () => {
      await article('Before')
      const stream = await following(bench().api)
      const { id } = await article('Meanwhile')
      expect(await firstOf(stream, 1)).toMatchObject([{ entityId: id }])
    })

    it('resumes after any event, without losing or repeating one', async () => {
      const { api } = bench()
      const whole = await following(api)
      const ids = []
      for (let count = 0; count < 130; count++) ids.push((await author(`Author ${count}`)).id)
      const events = await firstOf(whole, ids.length)
      expect(events.map(({ entityId }) => entityId)).toEqual(ids)
      for (const cut of [1, 50, 100, 129]) {
        const lastEventId = events[cut - 1]?.id ?? ''
        const rest = await firstOf(await following(api, { lastEventId }), ids.length - cut)
        expect(rest.map(({ entityId }) => entityId)).toEqual(ids.slice(cut))
      }
    })

    it('continues while others write', async () => {
      const { api } = bench()
      const first = await following(api)
      await author('Where it begins')
      const [begin] = await firstOf(first, 1)
      const writing = (async () => {
        for (let count = 0; count < 40; count++) await author(`Busy ${count}`)
      })()
      const seen: string[] = []
      let lastEventId = begin?.id ?? ''
      while (seen.length < 39) {
        const some = await firstOf(await following(api, { lastEventId }), 3)
        seen.push(...some.map(({ entityId }) => entityId))
        lastEventId = some.at(-1)?.id ?? ''
      }
      await writing
      const again = await firstOf(await following(api, { lastEventId: begin?.id }), seen.length)
      expect(seen).toEqual(again.map(({ entityId }) => entityId))
    })

    it('can be filtered by repository, by id or name, and by event', async () => {
      const { api, system } = bench()
      const { id: elsewhere } = await system.repositories.get({ id: 'elsewhere' })
      const both = await api.events.stream({ repositories: [elsewhere, configId], events: ['ITEM_DELETED'] })
      const one = await api.events.stream({ repositories: ['elsewhere'] })
      const all = await api.events.stream()
      const here = await author('Here')
      const there = await author('There', 'elsewhere')
      await system.items.delete({ configId, id: here.id })
      await system.items.delete({ configId: 'elsewhere', id: there.id })
      const ids = async (stream: typeof one, count: number) =>
        (await firstOf(stream, count)).map(({ event, entityId }) => `${event} ${entityId}`)
      const [deletedHere, deletedThere] = [`ITEM_DELETED ${here.id}`, `ITEM_DELETED ${there.id}`]
      expect(await ids(both, 2)).toEqual([deletedHere, deletedThere])
      expect(await ids(one, 2)).toEqual([`ITEM_CREATED ${there.id}`, deletedThere])
      expect(await ids(all, 4)).toEqual([
        `ITEM_CREATED ${here.id}`,
        `ITEM_CREATED ${there.id}`,
        deletedHere,
        deletedThere,
      ])
    })

    it('refuses unknown repositories, events and positions, and names them', async () => {
      const { api, as, anonymous, system } = bench()
      const { events } = api
      expect(await invalidAt(events.stream({ repositories: [configId, 'nowhere'] }))).toEqual([
        'repositories.1',
      ])
      const event = 'ITEM_BURNT' as 'ITEM_CREATED'
      const refused = await failing(events.stream({ events: [event] }), 'invalid')
      expect(refused.message).toContain('ITEM_BURNT')
      for (const lastEventId of ['1', 'nonsense', '', 'x'.repeat(2000)])
        expect(await invalidAt(events.stream({ lastEventId }))).toEqual(['lastEventId'])
      expect(await invalidAt(events.stream({ repositories: [] }))).toEqual(['repositories'])
      await failing(anonymous.events.stream(), 'unauthorized')
      const { id } = await system.repositories.get({ id: 'elsewhere' })
      const stranger = await as({})
      const unseen = await failing(stranger.events.stream({ repositories: [id] }), 'invalid')
      const absent = await failing(stranger.events.stream({ repositories: ['REPO_0'] }), 'invalid')
      expect(unseen.message.replace(id, 'REPO_0')).toBe(absent.message)
    })
  })

  describe('a stream of events shows', () => {
    it('each reader what they may read', async () => {
      const { system, as } = bench()
      const insiders = await system.roles.create({ name: 'Event insiders' })
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const editor = await as({ bundles: ['bundle.editor'] })
      const ofAuthors = await as({ permissions: { repos: { [`${repositoryId}:author`]: ['items.read'] } } })
      const stranger = await as({ permissions: { global: ['assets.read'] } })
      const edited = await editor.events.stream()
      const authored = await ofAuthors.events.stream()
      const strange = reading(await stranger.events.stream())
      await article('Closed', { readPerm: [insiders.id] })
      await system.packages.create({ repo: configId, name: 'followed' })
      const inside = await article('Inside', { packageName: 'followed' })
      const open = await article('Open')
      await author('There', 'elsewhere')
      const last = await author('Last')
      const seen = async (stream: typeof edited, count: number) =>
        (await firstOf(stream, count)).map(({ event, entityId }) => `${event} ${entityId}`)
      const [, insideSeen, openSeen, , lastSeen] = await seen(edited, 5)
      expect([insideSeen, openSeen, lastSeen]).toEqual([
        `ITEM_CREATED ${inside.id}`,
        `ITEM_CREATED ${open.id}`,
        `ITEM_CREATED ${last.id}`,
      ])
      expect(await seen(authored, 1)).toEqual([`ITEM_CREATED ${last.id}`])
      const silence = await Promise.race([
        strange.first,
        new Promise((resolve) => setTimeout(resolve, 100, 'silent')),
      ])
      expect(silence).toBe('silent')
      await strange.leave()
    })

    it('nobody what belongs to no repository', async () => {
      const { api, system } = bench()
      const stream = await api.events.stream()
      await system.types.create({ name: 'unheard' })
      await system.roles.create({ name: 'Unheard' })
      await system.users.create({ id: 'unheard@example.org', name: 'Unheard' })
      const { id } = await author('Heard')
      expect(await firstOf(stream, 1)).toMatchObject([{ event: 'ITEM_CREATED', entityId: id }])
    })

    it('no more of what the reader loses access to while it runs', async () => {
      const { system, as } = bench()
      const reader = await as({})
      const { roles } = await reader.auth.myPermissions()
      const [role = ''] = roles
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const ofType = (type: string) => `${repositoryId}:${type}`
      const allow = (...types: string[]) =>
        system.roles.update({
          id: role,
          permissions: { repos: Object.fromEntries(types.map((type) => [ofType(type), ['items.read']])) },
        })
      await allow('article', 'author')
      const iterator = (await following(reader))[Symbol.asyncIterator]()
      const before = await article('Before it')
      expect((await iterator.next()).value).toMatchObject({ entityId: before.id })
      await allow('author')
      await article('After it')
      const last = await author('Still')
      expect((await iterator.next()).value).toMatchObject({ entityId: last.id })
      await iterator.return?.()
    })

    it('nothing once the account is disabled: it ends', async () => {
      const { system, as } = bench()
      const reader = await as(everything)
      const { identity } = await reader.auth.myPermissions()
      const ended = allOf(await following(reader))
      await system.serviceAccounts.update({ id: identity.id, enabled: false })
      expect(await ended).toEqual([])
    })
  })

  describe('a follower of events', () => {
    it('leaves by leaving the loop, and can follow ten streams at once', async () => {
      const { as, inProcess } = bench()
      const api = await as(everything)
      const { events } = await inProcess(api)
      const held = []
      for (let count = 0; count < 10; count++) held.push(reading(await events.stream()))
      const { details } = await failing(api.events.stream(), 'too_many_requests')
      expect(details).toMatchObject({ retryAfter: expect.any(Number) })
      await held[0]?.leave()
      const stream = await api.events.stream()
      const { id } = await author('Eleventh')
      expect(await firstOf(stream, 1)).toMatchObject([{ entityId: id }])
      const isFree = () =>
        events.stream().then(
          () => true,
          () => false,
        )
      await expect.poll(isFree, { timeout: 5000 }).toBe(true)
      for (const one of held) await one.leave()
    })

    it("leaves by the call's signal, whose reason is thrown", async () => {
      const { api } = bench()
      const controller = new AbortController()
      const stream = await api.events.stream({}, { signal: controller.signal })
      const { first } = reading(stream)
      const reason = new Error('enough')
      controller.abort(reason)
      await expect(first).rejects.toBe(reason)
    })

    it('receives nothing after leaving', async () => {
      const iterator = (await following(bench().api))[Symbol.asyncIterator]()
      const waiting = iterator.next()
      await iterator.return?.()
      expect(await waiting).toEqual({ done: true, value: undefined })
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
    })
  })
}
