import { systemIdentity } from '@quire/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing } from '../failing.ts'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const day = 86_400_000

/** The queue, and changes that are scheduled for a time. */
export function queueTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  /** An article that can be published. */
  const article = (name: string) => bench().system.items.create(anArticle({ name, fields: { title: name } }))
  /** The unfinished job of a kind with a subject. */
  const jobOf = async (kind: string, matches: (payload: Record<string, unknown>) => boolean) => {
    const { items } = await bench().api.queue.list({ kind, state: 'queued' })
    return items.find(({ payload }) => matches(payload)) ?? expect.unreachable(`a job ${kind} is queued`)
  }
  const publishJob = (id: string) => jobOf('item.publish', (payload) => payload['id'] === id)
  /** Advances the time and runs everything that is then due. */
  const later = async (ms: number) => {
    const { clock, quire } = bench().scope
    clock.advance(ms)
    // Queuing something makes the service look for due jobs.
    await quire.as(systemIdentity('later')).webhooks.test({ id: await someWebhook() })
    await quire.settled()
  }
  let webhookId: string | undefined
  const someWebhook = async () => {
    const url = 'https://hooks.example.com/later'
    const given = { repositoryId: configId, name: 'Later', url, events: ['SITE_PUBLISHED' as const] }
    return (webhookId ??= (await bench().system.webhooks.create(given)).id)
  }

  describe('the queue', () => {
    it('shows jobs, one by one, in pages and counted', async () => {
      const { api, scope } = bench()
      const item = await article('Queued')
      await api.items.publish({ configId, id: item.id, at: scope.clock.now() + day })
      const job = await publishJob(item.id)
      expect(job).toMatchObject({
        id: expect.stringMatching(/^JOB_/),
        kind: 'item.publish',
        state: 'queued',
        repositoryId: item.repositoryId,
        attempts: 0,
        runAt: scope.clock.now() + day,
        startedAt: null,
        finishedAt: null,
        error: null,
      })
      expect(await api.queue.get({ jobId: job.id })).toEqual(job)
      const first = await api.queue.list({ repositoryId: configId, limit: 1 })
      expect(first.items).toEqual([job])
      expect((await api.queue.list({ kind: 'none' })).items).toEqual([])
      const { jobs } = await api.queue.stats()
      const counted = jobs.find(({ kind, state }) => kind === job.kind && state === 'queued')
      expect(counted).toMatchObject({ count: 1, oldest: job.runAt })
    })

    it('counts what the caller may see, with any filter', async () => {
      const { api, as, system } = bench()
      const { id } = await system.repositories.create({ name: 'counted-jobs' })
      await system.webhooks.create({
        repositoryId: id,
        name: 'Counted',
        url: 'https://hooks.example.com/counted',
        events: ['ITEM_CREATED'],
      })
      for (const name of ['One', 'Two']) await system.items.create({ repositoryId: id, type: 'author', name })
      await bench().scope.quire.settled()
      const there = await as({ permissions: { repos: { [id]: ['queue.view'] } } })
      for (const reader of [there, api]) {
        for (const narrowed of [
          {},
          { state: 'succeeded' as const },
          { kind: 'none' },
          { repositoryId: id },
        ]) {
          const { count, items } = await reader.queue.list({ ...narrowed, limit: 1000 })
          expect(count).toBe(items.length)
          expect((await reader.queue.list({ ...narrowed, limit: 1 })).count).toBe(count)
        }
      }
      expect((await there.queue.list({})).count).toBe(2)
      expect((await api.queue.list({})).count).toBeGreaterThan(2)
      expect(await there.queue.list({ skipCount: true, limit: 1 })).toEqual({
        items: [expect.anything()],
        nextCursor: expect.any(String),
      })
    })

    it('does not show the content of items to callers who may only see jobs', async () => {
      const { api, as, scope } = bench()
      const url = 'https://hooks.example.com/data'
      const { id } = await api.webhooks.create({
        repositoryId: configId,
        name: 'Data',
        url,
        events: ['ITEM_CREATED'],
      })
      await api.items.create(anArticle({ name: 'Canary words' }))
      await scope.quire.settled()
      const [delivery] = (await api.webhooks.deliveries({ id })).items
      const jobId = delivery?.id ?? ''
      const viewer = await as({ permissions: { global: ['queue.view'] } })
      const job = await viewer.queue.get({ jobId })
      expect(job).toMatchObject({ kind: 'webhook.deliver', payload: { event: 'ITEM_CREATED' } })
      expect(JSON.stringify(job)).not.toContain('Canary')
      await api.webhooks.delete({ id })
    })

    it('cancels waiting jobs, and retries cancelled ones', async () => {
      const { api, scope } = bench()
      const item = await article('Cancelled')
      await api.items.publish({ configId, id: item.id, at: scope.clock.now() + day })
      const { id: jobId } = await publishJob(item.id)
      expect(await api.queue.cancel({ jobId })).toMatchObject({
        state: 'cancelled',
        finishedAt: scope.clock.now(),
      })
      await failing(api.queue.cancel({ jobId }), 'invalid_state')
      expect(await api.queue.retry({ jobId })).toMatchObject({ id: jobId, state: 'queued' })
      await scope.quire.settled()
      expect(await api.queue.get({ jobId })).toMatchObject({ state: 'succeeded' })
      await failing(api.queue.retry({ jobId }), 'invalid_state')
      expect((await api.items.get({ configId, id: item.id })).isPublished).toBe(true)
    })

    it('does not retry a test delivery', async () => {
      const { api, scope } = bench()
      const id = await someWebhook()
      const { id: jobId } = await api.webhooks.test({ id })
      await scope.quire.settled()
      await failing(api.queue.retry({ jobId }), 'invalid_state')
    })

    it('requires its keys, on the repositories concerned', async () => {
      const { api, as, scope } = bench()
      const item = await article('Guarded')
      await api.items.publish({ configId, id: item.id, at: scope.clock.now() + day })
      const { id: jobId } = await publishJob(item.id)
      const own = await as({ permissions: { repos: { [item.repositoryId]: ['queue.view', 'items.read'] } } })
      expect((await own.queue.get({ jobId })).id).toBe(jobId)
      await failing(own.queue.cancel({ jobId }), 'forbidden')
      const stranger = await as({ permissions: { repos: { none: ['queue.view', 'queue.manage'] } } })
      expect((await stranger.queue.list()).items).toEqual([])
      expect(await stranger.queue.stats()).toEqual({ jobs: [] })
      await allFailing(
        [
          stranger.queue.get({ jobId }),
          stranger.queue.cancel({ jobId }),
          stranger.queue.retry({ jobId }),
          stranger.queue.list({ repositoryId: configId }),
        ],
        'not_found',
      )
      await api.queue.cancel({ jobId })
    })
  })

  describe('a scheduled change', () => {
    it('publishes and unpublishes at its time', async () => {
      const { api, scope } = bench()
      const item = await article('Tomorrow')
      const on = { configId, id: item.id }
      const now = scope.clock.now()
      expect(await api.items.publish({ ...on, at: now + day })).toMatchObject({ isPublished: false })
      expect(await api.items.unpublish({ ...on, at: now + 2 * day })).toMatchObject({ isPublished: false })
      expect(await api.items.schedule(on)).toEqual({
        publish: { at: now + day },
        unpublish: { at: now + 2 * day },
      })
      await api.items.update({ ...on, description: 'Later words' })
      await later(day)
      const visible = await api.items.get(on)
      expect(visible).toMatchObject({ isPublished: true, status: 'published', publishedDate: now + day })
      expect(await api.items.schedule(on)).toEqual({ publish: null, unpublish: { at: now + 2 * day } })
      await later(day)
      expect(await api.items.get(on)).toMatchObject({ isPublished: false })
      const given = await api.activity.list({ configId, entityId: item.id })
      expect(JSON.stringify(given)).toContain('ITEM_UNPUBLISHED')
      await failing(api.items.schedule({ configId, id: 'CONT_NONE' }), 'not_found')
    })

    it('has one time: a new one replaces it, null cancels it, and a past time means now', async () => {
      const { api, scope } = bench()
      const item = await article('Moved')
      const on = { configId, id: item.id }
      const now = scope.clock.now()
      await api.items.publish({ ...on, at: now + day })
      await api.items.publish({ ...on, at: now + 3 * day })
      await later(day)
      expect(await api.items.get(on)).toMatchObject({ isPublished: false })
      expect(await api.items.schedule(on)).toEqual({ publish: { at: now + 3 * day }, unpublish: null })
      await api.items.publish({ ...on, at: null })
      expect(await api.items.schedule(on)).toEqual({ publish: null, unpublish: null })
      await later(3 * day)
      expect(await api.items.get(on)).toMatchObject({ isPublished: false })
      expect(await api.items.publish({ ...on, at: now })).toMatchObject({ isPublished: true })
    })

    it('runs with the permissions that its requester has then, and reports why it failed', async () => {
      const { api, as, scope } = bench()
      const item = await article('Unsure')
      const key = ['items.read', 'items.publish', 'items.update'] as const
      const editor = await as({ permissions: { repos: { [item.repositoryId]: [...key] } } })
      const { identity } = await editor.auth.myPermissions()
      await editor.items.publish({ configId, id: item.id, at: scope.clock.now() + day })
      const { id: jobId, createdBy } = await publishJob(item.id)
      expect(createdBy.userName).toBe(identity.id)
      await api.serviceAccounts.update({ id: identity.id, enabled: false })
      await later(day)
      expect(await api.queue.get({ jobId })).toMatchObject({ state: 'failed', error: expect.any(String) })
      expect(await api.items.get({ configId, id: item.id })).toMatchObject({ isPublished: false })
    })

    it('merges a package at its time, which takes no changes until then', async () => {
      const { api, scope } = bench()
      const repo = configId
      const on = { repo, packageName: 'summer' }
      const now = scope.clock.now()
      await api.packages.create({ repo, name: 'summer' })
      const item = await api.items.create(
        anArticle({ name: 'Swim', packageName: 'summer', fields: { title: 'Swim' } }),
      )
      const report = await api.packages.merge({ ...on, mergeAt: now + day, publish: true })
      expect(report).toMatchObject({
        package: { state: 'scheduled', mergeAt: now + day },
        changes: [{ entity: { id: item.id }, kind: 'create' }],
      })
      await failing(api.items.create(anArticle({ name: 'No', packageName: 'summer' })), 'invalid_state')
      await failing(api.items.get({ configId, id: item.id }), 'not_found')
      await later(day)
      expect(await api.packages.get(on)).toMatchObject({ state: 'merged' })
      expect(await api.items.get({ configId, id: item.id })).toMatchObject({ isPublished: true })
    })

    it('reopens a package that is unscheduled, or that cannot be merged when it is due', async () => {
      const { api, scope } = bench()
      const repo = configId
      const now = scope.clock.now()
      const shared = await article('Both')
      await api.packages.create({ repo, name: 'autumn' })
      const on = { repo, packageName: 'autumn' }
      await api.items.update({ configId, packageName: 'autumn', id: shared.id, description: 'Ours' })
      await api.packages.merge({ ...on, mergeAt: now + day })
      expect((await api.packages.merge({ ...on, mergeAt: null })).package).toMatchObject({ state: 'open' })
      expect(await api.packages.get(on)).not.toHaveProperty('mergeAt')
      await failing(api.packages.merge({ ...on, mergeAt: null }), 'invalid_state')
      await api.packages.merge({ ...on, mergeAt: now + day })
      const { id: jobId } = await jobOf('package.merge', () => true)
      await api.items.update({ configId, id: shared.id, description: 'Theirs' })
      await later(day)
      expect(await api.queue.get({ jobId })).toMatchObject({ state: 'failed' })
      expect(await api.packages.get(on)).toMatchObject({ state: 'open' })
      expect((await api.packages.conflicts(on)).count).toBe(1)
      await failing(api.packages.merge({ ...on, mergeAt: now + 3 * day }), 'merge_conflict')
    })
  })
}
