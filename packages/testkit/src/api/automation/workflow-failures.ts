import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'
import {
  act,
  aDraft,
  definedAt,
  infoOf,
  later,
  packageOf,
  prepareReviews,
  underReview,
  type Reviewed,
} from './workflow-steps.ts'

const repo = 'magazine'

const asksAgain =
  /^(.+)\. It is unknown whether the engine accepted the (start|approve)\. The request will be repeated/

// What an engine does, and the resulting message.
const refusals = [
  ['refuses', 'The engine rejected the request with 422: not today.'],
  ['redirects', 'The engine answered with 302. Redirects are not followed.'],
  ['down', 'The engine could not be reached: The host does not answer.'],
] as const

// The same for failures after which the engine may have accepted the request.
const doubts = [
  ['fails', 'The engine failed with 500'],
  ['garbles', 'The answer of the engine is not JSON'],
  ['lies', 'The answer of the engine is invalid: currentStep'],
  ['floods', 'The engine answered with more than 262144 bytes'],
  ['late', 'The engine gave no answer (it took too long)'],
] as const

/** Engines that misbehave: nothing is lost, nothing doubled, and no package is stuck. */
export function workflowFailureTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  /**
   * The Idempotency-Keys of requests to the engine since `from`; at one address only, where other
   * jobs are due, too.
   */
  const askedSince = (from: number, at = '') =>
    bench()
      .scope.outbound.sent.slice(from)
      .filter(({ url }) => url.endsWith(at))
      .map(({ headers }) => new Map(headers).get('idempotency-key'))

  const sentSoFar = () => bench().scope.outbound.sent.length

  const workflowAt = async (path: string) => (await definedAt(bench().system, path)).id

  /** A package under review, whose next action meets this behaviour of the engine. */
  const before = (how: string) =>
    workflowAt(`/then/${how}`).then((workflowId) => underReview(bench().api, { workflowId }))

  const actionsOf = async (api: Api, on: Reviewed) =>
    (await infoOf(api, on))?.history.map(({ action }) => action) ?? []

  /** The error of an action, which leaves the workflow and its package unchanged. */
  const whyNot = async (call: () => Promise<unknown>, on: Reviewed) => {
    const { api } = bench()
    const standing = async () => ({ info: await infoOf(api, on), about: await packageOf(api, on) })
    const known = await standing()
    const { message, details } = await failing(call(), 'workflow_failed')
    expect(await standing()).toEqual(known)
    expect(details?.['workflowInfo']).toEqual(known.info)
    return message
  }

  describe('a start', () => {
    it.each([...refusals, ...doubts])('that the engine %s leaves the package open', async (how, words) => {
      const { api } = bench()
      const { on } = await aDraft(api)
      const workflowId = await workflowAt(`/start/${how}`)
      const message = await whyNot(() => act(api, 'start', { on, workflowId }), on)
      expect(message.startsWith(words), message).toBe(true)
      expect(asksAgain.test(message)).toBe(doubts.some(([doubt]) => doubt === how))
      expect(await packageOf(api, on)).toMatchObject({ state: 'open' })
      // Another workflow can be started.
      const { workflowInfo } = await act(api, 'start', { on })
      expect(workflowInfo).toMatchObject({ workflowName: 'Two-step review', status: 'active' })
      expect(await actionsOf(api, on)).toEqual(['start'])
      await bench().scope.quire.settled()
      expect(await infoOf(api, on)).toEqual(workflowInfo)
    })

    it.each(doubts)('that the engine %s once is sent again with the same key', async (how) => {
      const { api } = bench()
      const { on } = await aDraft(api)
      const workflowId = await workflowAt(`/start/${how}-once`)
      const from = sentSoFar()
      await whyNot(() => act(api, 'start', { on, workflowId }), on)
      const { workflowInfo } = await act(api, 'start', { on, workflowId })
      expect(workflowInfo).toMatchObject({ status: 'active', currentStep: 'editorial' })
      expect(await actionsOf(api, on)).toEqual(['start'])
      const [first, second, ...others] = askedSince(from)
      expect(second).toBe(first)
      expect(others).toEqual([])
    })

    it('that nobody repeats is repeated by a job', async () => {
      const { api, scope } = bench()
      const { on } = await aDraft(api)
      const workflowId = await workflowAt('/start/late-once?job')
      const asked = () => askedSince(from, '?job')
      const from = sentSoFar()
      await failing(act(api, 'start', { on, workflowId }), 'workflow_failed')
      await scope.quire.settled()
      expect(asked()).toHaveLength(1)
      await later(bench(), 60_000)
      const [first, second, ...others] = asked()
      expect(second).toBe(first)
      expect(others).toEqual([])
      expect(await infoOf(api, on)).toMatchObject({ status: 'active' })
      expect(await actionsOf(api, on)).toEqual(['start'])
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
    })

    it('that is never answered is abandoned, and the package can be merged', async () => {
      const { api } = bench()
      const { on } = await aDraft(api)
      const workflowId = await workflowAt('/start/fails?forever')
      const from = sentSoFar()
      await failing(act(api, 'start', { on, workflowId }), 'workflow_failed')
      for (let hour = 0; hour < 6; hour++) await later(bench(), 60 * 60 * 1000)
      const asked = askedSince(from, '?forever')
      expect(new Set(asked).size).toBe(1)
      // Once by the caller, and six times by a job.
      expect(asked).toHaveLength(7)
      expect(await infoOf(api, on)).toBeNull()
      await api.packages.merge({ repo, packageName: on.packageName })
      expect(await packageOf(api, on)).toMatchObject({ state: 'merged' })
    })

    it('that the engine accepts without a body continues by its callbacks', async () => {
      const { api } = bench()
      const { on } = await aDraft(api)
      const workflowId = await workflowAt('/start/agrees')
      const { workflowInfo } = await act(api, 'start', { on, workflowId })
      expect(workflowInfo).toMatchObject({ status: 'active', currentStep: 'start', steps: [] })
      expect(workflowInfo).not.toHaveProperty('workflowInstanceId')
      const message = await whyNot(() => act(api, 'approve', { on }), on)
      expect(message).toBe('The engine named no address for the next action.')
    })
  })

  describe('an approval', () => {
    it.each([...refusals, ...doubts])('that the engine %s changes nothing', async (how, words) => {
      const { api } = bench()
      const { on } = await before(how)
      const message = await whyNot(() => act(api, 'approve', { on }), on)
      expect(message.startsWith(words), message).toBe(true)
      expect(asksAgain.test(message)).toBe(doubts.some(([doubt]) => doubt === how))
      expect(await actionsOf(api, on)).toEqual(['start'])
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
    })

    it.each(doubts)('that the engine %s once is sent again with the same key', async (how) => {
      const { api } = bench()
      const { on } = await before(`${how}-once`)
      const from = sentSoFar()
      await whyNot(() => act(api, 'approve', { on, comment: 'Fine' }), on)
      const { workflowInfo } = await act(api, 'approve', { on, comment: 'Fine' })
      expect(workflowInfo).toMatchObject({ status: 'completed', currentStep: 'end' })
      expect(await actionsOf(api, on)).toEqual(['start', 'approve'])
      const [first, second, ...others] = askedSince(from)
      expect(second).toBe(first)
      expect(others).toEqual([])
      await bench().scope.quire.settled()
      expect(askedSince(from)).toHaveLength(2)
    })

    it('with an unknown outcome is resolved before another action', async () => {
      const { api } = bench()
      const { on } = await before('late-once')
      const from = sentSoFar()
      await failing(act(api, 'approve', { on }), 'workflow_failed')
      // The approval is resolved first; then the rejection times out, too.
      await failing(act(api, 'reject', { on }), 'workflow_failed')
      const [first, second, third, ...others] = askedSince(from)
      expect(second).toBe(first)
      expect(third).not.toBe(first)
      expect(others).toEqual([])
      expect(await actionsOf(api, on)).toEqual(['start', 'approve'])
    })

    it('is never sent to another origin, whatever address the engine names', async () => {
      const { api, scope } = bench()
      const { on } = await before('elsewhere')
      expect(await infoOf(api, on)).not.toHaveProperty('nextActionUrl')
      const message = await whyNot(() => act(api, 'approve', { on }), on)
      expect(message).toBe('The engine named no address for the next action.')
      expect(scope.outbound.sent.filter(({ url }) => url.includes('other.example.com'))).toEqual([])
    })
  })
}
