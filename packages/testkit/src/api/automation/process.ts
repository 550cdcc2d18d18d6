import type { Api, Job } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { aJob } from '../../store/job-samples.ts'
import { failing, invalidAt } from '../failing.ts'
import { fileOf, prepareFiles, textFile } from '../files/files.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const all = { syncAssets: true, syncDocs: true, reloadGraph: true }
const kinds = ['assets.sync', 'docs.sync', 'graph.reload']

/** Maintenance of a repository's content on request. */
export function processTests(bench: () => Bench): void {
  let repositoryId = ''
  beforeAll(async () => {
    await prepareFiles(bench().system)
    repositoryId = (await bench().system.repositories.get({ id: configId })).id
  })

  describe('a repository that is processed', () => {
    it('has each requested task done in the queue, and the answer names the jobs', async () => {
      const { api, scope } = bench()
      const file = textFile('A capercaillie calls.')
      const document = await api.assets.create({ configId, type: 'document', file })
      await api.assets.create({ configId, file: await fileOf('png', 'a.png') })
      const { message } = await api.admin.process({ id: configId, ...all })
      expect(message).toMatch(/^Queued: the asset sync \(JOB_\w+\), the document sync \(JOB_\w+\), /)
      const { identity } = await api.auth.myPermissions()
      const jobs = await endOf(api, message)
      expect(jobs).toMatchObject(
        kinds.map((kind) => ({
          kind,
          state: 'succeeded',
          repositoryId,
          createdBy: { userName: identity.id },
        })),
      )
      const results = await Promise.all(jobs.map(async ({ id }) => (await scope.store.jobs.get(id))?.result))
      expect(results).toMatchObject([
        { files: 2, missing: 0, corrupt: 0, findings: [] },
        { files: 1, known: 1, findings: [] },
        { repository: configId },
      ])
      const { items } = await api.items.list({ configId, text: 'capercaillie' })
      expect(items.map(({ id }) => id)).toEqual([document.id])
      expect((await api.admin.index({ id: configId })).rebuild).toMatchObject({ state: 'succeeded' })
    })

    it('has nothing done that was not requested', async () => {
      const { api } = bench()
      const before = await api.queue.list({ repositoryId: configId })
      for (const asked of [{}, { syncAssets: false, syncDocs: false, reloadGraph: false }]) {
        const { message } = await api.admin.process({ id: configId, ...asked })
        expect(message).toMatch(/^Nothing was requested/)
      }
      expect(await api.queue.list({ repositoryId: configId })).toEqual(before)
      const { message } = await api.admin.process({ id: repositoryId, reloadGraph: true, syncDocs: false })
      expect(await endOf(api, message)).toMatchObject([{ kind: 'graph.reload', state: 'succeeded' }])
    })

    it('joins jobs that have not ended instead of starting them twice', async () => {
      const { api, scope } = bench()
      const runAt = scope.clock.now() + 60_000
      const id = `JOB_${'1'.repeat(26)}`
      const waiting = aJob(id, {
        kind: 'docs.sync',
        repositoryId,
        subject: repositoryId,
        key: `docs.sync:${repositoryId}`,
        runAt,
        createdAt: runAt,
        createdBy: { userName: 'system:test', displayName: 'test', email: '' },
      })
      await scope.store.transaction((tx) => tx.jobs.enqueue(waiting))
      const { message } = await api.admin.process({ id: configId, syncDocs: true, reloadGraph: true })
      expect(message).toMatch(
        /^Queued: the graph reload \(JOB_\w+\)\. Already queued or running: the document sync /,
      )
      expect(message).toContain(id)
      expect(await api.queue.get({ jobId: id })).toMatchObject({ state: 'queued', runAt })
      await api.queue.cancel({ jobId: id })
      const again = await api.admin.process({ id: configId, syncDocs: true })
      expect(again.message).not.toContain(id)
      expect(await endOf(api, again.message)).toMatchObject([{ state: 'succeeded' }])
    })

    it('must exist, and the requested tasks must be known', async () => {
      const { api } = bench()
      await failing(api.admin.process({ id: 'nowhere', ...all }), 'not_found')
      const unknown = { id: configId, syncAll: true } as never
      await failing(api.admin.process(unknown), 'invalid')
      expect(await invalidAt(api.admin.process({ id: configId, syncDocs: 'yes' } as never))).toEqual([
        'syncDocs',
      ])
    })

    it('requires the keys to crawl it or to migrate it', async () => {
      const { api, as, system } = bench()
      const other = await system.repositories.create({ name: 'unprocessed' })
      for (const key of ['admin.repositories.crawl', 'admin.repositories.migration.run'] as const) {
        const crawler = await as({ permissions: { repos: { [repositoryId]: [key] } } })
        const { message } = await crawler.admin.process({ id: configId, reloadGraph: true })
        expect(await endOf(api, message)).toMatchObject([{ state: 'succeeded' }])
        const unseen = await failing(crawler.admin.process({ id: other.name, ...all }), 'not_found')
        const absent = await failing(crawler.admin.process({ id: 'nowhere', ...all }), 'not_found')
        expect(unseen.message.replace(other.name, 'nowhere')).toBe(absent.message)
        const reader = await as({
          bundles: ['bundle.viewer'],
          permissions: { repos: { [repositoryId]: [key] } },
        })
        await failing(reader.admin.process({ id: other.id, ...all }), 'forbidden')
      }
      const developer = await as({ bundles: ['bundle.developer'] })
      await developer.admin.process({ id: other.id })
      const publisher = await as({ bundles: ['bundle.publisher'] })
      await failing(publisher.admin.process({ id: configId, ...all }), 'forbidden')
      await failing(bench().anonymous.admin.process({ id: configId, ...all }), 'unauthorized')
    })
  })
}

/** The jobs that a message names, by kind, once they have ended. */
async function endOf(api: Api, message: string): Promise<readonly Job[]> {
  const ids = message.match(/JOB_\w+/g) ?? []
  const jobs = await Promise.all(ids.map((jobId) => ended(api, jobId)))
  return jobs.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
}

async function ended(api: Api, jobId: string): Promise<Job> {
  for (;;) {
    const job = await api.queue.get({ jobId })
    if (job.finishedAt !== null) return job
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
