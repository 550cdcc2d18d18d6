import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { inPackage, onMain } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import {
  act,
  aDraft,
  callbackKey,
  definedAt,
  infoOf,
  packageOf,
  prepareReviews,
  underReview,
  type Reviewed,
} from './workflow-steps.ts'

const repo = 'magazine'

/**
 * States of packages in which cancelling deletes them: how they got there, and what the history
 * then says about the engine.
 */
const cancellable = [
  ['misses', 'The engine rejected the request with 404.'],
  ['refuses', 'The engine rejected the request with 422: not today.'],
  ['fails', 'The engine failed with 500'],
  ['down', 'The engine could not be reached: The host does not answer.'],
  ['late', 'The engine gave no answer (it took too long)'],
] as const

/**
 * Cancelling, and callbacks after the end: specification 3.2 allows both for every package that is
 * not merged.
 */
export function workflowEndTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  const notify = (
    on: Reviewed,
    instance: string,
    given: { status: 'active' | 'completed' | 'cancelled' | 'error'; comment?: string; currentStep?: string },
  ) =>
    bench().anonymous.workflow.status({
      apiKey: callbackKey,
      ...on,
      workflowInstanceId: instance,
      currentStep: 'legal',
      ...given,
    })

  const at = async (path: string) =>
    underReview(bench().api, { workflowId: (await definedAt(bench().system, path)).id })

  const wanting = (workflow: { autoMerge: boolean }) =>
    bench().system.repositories.update({ id: repo, settings: { workflow } })

  const settled = () => bench().scope.quire.settled()

  /** Cancels a review and reads what remains of it. */
  const cancelled = async (on: Reviewed) => {
    const { api } = bench()
    const { id } = await packageOf(api, on)
    const { success, workflowInfo } = await act(api, 'cancel', { on, comment: 'Never mind' })
    expect(success).toBe(true)
    await failing(packageOf(api, on), 'not_found')
    const left = await infoOf(api, { ...on, packageName: id })
    expect(left).toEqual(workflowInfo)
    return left
  }

  const mergesOf = async (entityId: string) =>
    (await bench().api.activity.list({ configId: repo, entityId, event: 'PACKAGE_MERGED' })).items.length

  /** The state of a package, or the error when it is read. */
  const stateOf = (on: Reviewed) =>
    packageOf(bench().api, on).then(
      ({ state }) => state as string,
      (error: { code: string }) => error.code,
    )

  const actionsOf = async (on: Reviewed) =>
    (await infoOf(bench().api, on))?.history.map(({ action }) => action) ?? []

  describe('cancelling deletes the package', () => {
    it.each(cancellable)('when its engine %s, which the history records', async (how, words) => {
      const { on } = await at(`/then/${how}`)
      const left = await cancelled(on)
      expect(left).toMatchObject({ status: 'cancelled', completedAt: expect.any(Number) })
      const [, cancel, reported] = left?.history ?? []
      expect(cancel).toMatchObject({ action: 'cancel', comment: 'Never mind' })
      expect(reported).toMatchObject({ action: 'status_update', comment: expect.stringContaining(words) })
    })

    it('when the engine named no address for it', async () => {
      const { scope } = bench()
      for (const path of ['/start/agrees', '/then/elsewhere']) {
        const { on } = await at(path)
        const asked = scope.outbound.sent.length
        expect(await cancelled(on)).toMatchObject({ status: 'cancelled' })
        expect(scope.outbound.sent).toHaveLength(asked)
      }
    })

    it('when the step accepts other actions', async () => {
      const { on } = await at('/start/any?actions=approve')
      expect((await cancelled(on))?.history.map(({ action }) => action)).toEqual(['start', 'cancel'])
    })

    it.each(['completed', 'cancelled', 'error'] as const)('whose workflow is %s', async (status) => {
      await wanting({ autoMerge: false })
      const { on, instance } = await underReview(bench().api)
      await notify(on, instance, { status })
      expect(await cancelled(on)).toMatchObject({ status: 'cancelled' })
    })

    it('when it is unknown whether an action was accepted', async () => {
      const { on } = await at('/then/late-once')
      await failing(act(bench().api, 'approve', { on }), 'workflow_failed')
      await cancelled(on)
      await settled()
    })

    it('when it has no workflow, or is scheduled', async () => {
      const { api, scope } = bench()
      const { on } = await aDraft(api)
      expect(await cancelled(on)).toBeNull()
      const { on: later } = await aDraft(api)
      const mergeAt = scope.clock.now() + 60_000
      await api.packages.merge({ repo, packageName: later.packageName, mergeAt })
      expect(await cancelled(later)).toBeNull()
    })
  })

  describe('after the merge', () => {
    it('cancelling is refused, and callbacks only go into the history', async () => {
      const { api, scope } = bench()
      await wanting({ autoMerge: false })
      const { on, instance } = await underReview(api)
      await notify(on, instance, { status: 'completed' })
      await api.packages.merge({ repo, packageName: on.packageName })
      const [about, info, asked] = [
        await packageOf(api, on),
        await infoOf(api, on),
        scope.outbound.sent.length,
      ]
      await failing(act(api, 'cancel', { on }), 'package_merged')
      await failing(act(api, 'approve', { on }), 'workflow_failed')
      expect(await infoOf(api, on)).toEqual(info)
      for (const status of ['active', 'error', 'cancelled'] as const) {
        expect(await notify(on, instance, { status, comment: 'Late' })).toMatchObject({ success: true })
        const { history = [], ...now } = (await infoOf(api, on)) ?? {}
        expect({ ...now, history: info?.history }).toEqual(info)
        expect(history.at(-1)).toMatchObject({
          action: 'status_update',
          comment: `Reported after the merge, without effect: ${status}, at "legal". Late`,
        })
      }
      expect(await packageOf(api, on)).toEqual(about)
      expect(scope.outbound.sent).toHaveLength(asked)
    })
  })

  describe('a review that completed', () => {
    it('is reopened by a callback, until it is merged', async () => {
      const { api } = bench()
      await wanting({ autoMerge: false })
      const { on, instance, article } = await underReview(api)
      await notify(on, instance, { status: 'completed' })
      const { workflowInfo } = await notify(on, instance, { status: 'active', currentStep: 'editorial' })
      expect(workflowInfo).toMatchObject({ status: 'active', currentStep: 'editorial' })
      expect(workflowInfo).not.toHaveProperty('completedAt')
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
      await failing(api.packages.merge({ repo, packageName: on.packageName }), 'invalid_state')
      await failing(api.items.update({ ...inPackage(article, on.packageName), name: 'No' }), 'invalid_state')
      await notify(on, instance, { status: 'error' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'error' })
      await notify(on, instance, { status: 'completed' })
      await notify(on, instance, { status: 'error' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'error' })
      expect(await actionsOf(on)).toEqual(['start', ...Array.from({ length: 5 }, () => 'status_update')])
    })

    it('is not merged at the scheduled time once it is open again', async () => {
      const { api, scope } = bench()
      await wanting({ autoMerge: false })
      const { on, instance } = await underReview(api)
      await notify(on, instance, { status: 'completed' })
      const mergeAt = scope.clock.now() + 60_000
      await api.packages.merge({ repo, packageName: on.packageName, mergeAt })
      await notify(on, instance, { status: 'completed', comment: 'Still' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'scheduled', mergeAt })
      await notify(on, instance, { status: 'active' })
      const opened = await packageOf(api, on)
      expect(opened).toMatchObject({ state: 'inReview' })
      expect(opened).not.toHaveProperty('mergeAt')
    })

    it('accepts an action if its engine named an address', async () => {
      const { api } = bench()
      await wanting({ autoMerge: false })
      const { on } = await at('/then/nothing')
      expect((await act(api, 'approve', { on })).workflowInfo).toMatchObject({ status: 'completed' })
      await act(api, 'approve', { on, comment: 'Once more' })
      expect(await actionsOf(on)).toEqual(['start', 'approve', 'approve'])
      expect(await packageOf(api, on)).toMatchObject({ state: 'completed' })
    })
  })

  describe('concurrently', () => {
    const all = (count: number, work: (index: number) => Promise<unknown>) =>
      Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)))

    it('fifty callbacks of its completion cause one merge', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true })
      const { on, instance, article } = await underReview(api)
      const { id } = await packageOf(api, on)
      const before = await api.items.get(onMain(article))
      const reported = await all(50, (index) =>
        notify(on, instance, { status: 'completed', comment: `${index}` }),
      )
      expect(reported.filter(({ status }) => status === 'rejected')).toEqual([])
      await settled()
      expect(await packageOf(api, on)).toMatchObject({ state: 'merged' })
      expect(await mergesOf(id)).toBe(1)
      const after = await api.items.get(onMain(article))
      expect(after.latestVersion).toBe((before.latestVersion ?? 0) + 1)
    })

    it('callbacks of completion and of progress leave it merged, or open and not merged', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true })
      for (let round = 0; round < 5; round++) {
        const { on, instance } = await underReview(api)
        const { id } = await packageOf(api, on)
        await all(6, (index) =>
          notify(on, instance, { status: index % 2 ? 'active' : 'completed', comment: `${index}` }),
        )
        await settled()
        const { state } = await packageOf(api, on)
        expect(['merged', 'inReview']).toContain(state)
        expect(await mergesOf(id)).toBe(state === 'merged' ? 1 : 0)
        const { status } = (await infoOf(api, on)) ?? {}
        expect(status).toBe(state === 'merged' ? 'completed' : 'active')
      }
    })

    it('cancelling and a merging callback leave it deleted and not merged, or merged', async () => {
      const { api } = bench()
      await wanting({ autoMerge: true })
      for (let round = 0; round < 6; round++) {
        const { on, instance } = await underReview(api)
        const { id } = await packageOf(api, on)
        const cancel = () =>
          act(api, 'cancel', { on }).then(
            () => 'deleted',
            (error: { code: string }) => error.code,
          )
        const first = round % 2 ? notify(on, instance, { status: 'completed' }) : null
        const [given] = await Promise.all([
          cancel(),
          first ?? notify(on, instance, { status: 'completed' }).catch(() => null),
        ])
        await settled()
        const merges = await mergesOf(id)
        expect([given, merges]).toEqual(given === 'deleted' ? ['deleted', 0] : ['package_merged', 1])
        expect(await stateOf(on)).toBe(given === 'deleted' ? 'not_found' : 'merged')
      }
    })

    it('of cancelling and a manual merge, exactly one succeeds', async () => {
      const { api } = bench()
      await wanting({ autoMerge: false })
      for (let round = 0; round < 4; round++) {
        const { on, instance } = await underReview(api)
        const { id } = await packageOf(api, on)
        await notify(on, instance, { status: 'completed' })
        const merge = () => api.packages.merge({ repo, packageName: on.packageName })
        const works = [() => act(api, 'cancel', { on }), merge]
        const ends = await Promise.allSettled((round % 2 ? works : works.toReversed()).map((work) => work()))
        expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        expect(await stateOf(on)).toBe((await mergesOf(id)) === 1 ? 'merged' : 'not_found')
      }
    })
  })
}
