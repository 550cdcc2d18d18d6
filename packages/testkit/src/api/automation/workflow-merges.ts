import { beforeAll, describe, expect, it } from 'vitest'
import { aJob } from '../../store/job-samples.ts'
import { inPackage, onMain } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import { act, later, packageOf, prepareReviews, underReview } from './workflow-steps.ts'

const repo = 'magazine'

/** What happens to a package once its review is completed. */
export function workflowMergeTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  const wanting = (workflow: { autoMerge: boolean; publishOnMerge: boolean }) =>
    bench().system.repositories.update({ id: repo, settings: { workflow } })

  /** Approves both steps, and waits for what follows. */
  const complete = async (on: Awaited<ReturnType<typeof underReview>>['on']) => {
    const { api, scope } = bench()
    await act(api, 'approve', { on })
    await act(api, 'approve', { on })
    await scope.quire.settled()
  }

  /** The journal entries about a merged package. */
  const mergesOf = async (entityId: string) =>
    (await bench().api.activity.list({ configId: repo, entityId, event: 'PACKAGE_MERGED' })).items

  describe('a review that completes', () => {
    it('leaves the merge to people by default', async () => {
      const { api } = bench()
      await wanting({ autoMerge: false, publishOnMerge: false })
      const { on } = await underReview(api)
      await complete(on)
      expect(await packageOf(api, on)).toMatchObject({ state: 'completed', mergedDate: null })
    })

    it('merges the package if the repository is set to, and publishes nothing', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true, publishOnMerge: false })
      const { on, article } = await underReview(api)
      const { id } = await packageOf(api, on)
      await complete(on)
      expect(await packageOf(api, on)).toMatchObject({ state: 'merged' })
      expect(await packageOf(api, on)).not.toHaveProperty('mergeError')
      expect(await api.items.get(onMain(article))).toMatchObject({
        description: 'Changed',
        isPublished: false,
      })
      const [merged, ...others] = await mergesOf(id)
      expect(merged).toMatchObject({ event: 'PACKAGE_MERGED', user: { userName: 'system:workflow.merge' } })
      expect(others).toEqual([])
    })

    it('publishes the merged changes if the repository is set to, too', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true, publishOnMerge: true })
      const { on, article } = await underReview(api)
      await complete(on)
      expect(await api.items.get(onMain(article))).toMatchObject({
        description: 'Changed',
        isPublished: true,
      })
    })

    it('stays completed when the setting is switched off while the merge is queued', async () => {
      const { api, scope } = bench()
      await wanting({ autoMerge: false, publishOnMerge: false })
      const { on } = await underReview(api)
      await complete(on)
      const { id: subject, repositoryId } = await packageOf(api, on)
      /** Queued while the repository was set to merge. */
      const queued = async (id: string) => {
        const now = scope.clock.now()
        const createdBy = { userName: 'system:workflow', displayName: 'workflow', email: '' }
        const about = { kind: 'workflow.merge', repositoryId, subject, key: `workflow.merge:${subject}` }
        const waiting = aJob(id, { ...about, maxAttempts: 5, runAt: now, createdAt: now, createdBy })
        await scope.store.transaction((tx) => tx.jobs.enqueue(waiting))
        await later(bench(), 0)
        return api.queue.get({ jobId: id })
      }
      expect(await queued(`JOB_${'1'.repeat(26)}`)).toMatchObject({ state: 'succeeded' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'completed' })
      await wanting({ autoMerge: true, publishOnMerge: false })
      expect(await queued(`JOB_${'2'.repeat(26)}`)).toMatchObject({ state: 'succeeded' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'merged' })
    })

    it('stays completed when the merge has a conflict, which shows until it is resolved', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true, publishOnMerge: false })
      const { on, article } = await underReview(api)
      const { id } = await packageOf(api, on)
      await api.items.update({ ...onMain(article), description: 'Main says so' })
      await complete(on)
      const after = await packageOf(api, on)
      const mergeError = expect.stringContaining('conflict in one place')
      expect(after).toMatchObject({ state: 'completed', mergeError })
      expect(await api.items.get(onMain(article))).toMatchObject({ description: 'Main says so' })
      expect(await api.items.get(inPackage(article, on.packageName))).toMatchObject({
        description: 'Changed',
      })
      expect(await mergesOf(id)).toEqual([])
      const resolutions = [{ id: article.id, path: 'description', use: 'ours' as const }]
      await api.packages.merge({ repo, packageName: on.packageName, resolutions })
      const merged = await packageOf(api, on)
      expect(merged).toMatchObject({ state: 'merged' })
      expect(merged).not.toHaveProperty('mergeError')
    })
  })
}
