import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { inPackage } from '../branches/package-steps.ts'
import type { Bench } from '../host.ts'
import {
  aConnection,
  act,
  aDraft,
  callbackKey,
  definedAt,
  infoOf,
  packageOf,
  prepareReviews,
  signedBy,
  signingSecret,
  underReview,
  type Reviewed,
} from './workflow-steps.ts'

type Callback = Parameters<Api['workflow']['status']>[0]
type CallbackInput = Omit<Callback, 'apiKey' | 'signature'>

/** Callbacks of engines: how they are authenticated, and what they change. */
export function workflowCallbackTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  /** A callback for a review. Its members are in the order in which they are signed. */
  const reportedOf = (on: Reviewed, instance: string, given: Partial<CallbackInput> = {}): CallbackInput => ({
    ...on,
    workflowInstanceId: instance,
    currentStep: 'legal',
    status: 'active',
    ...given,
  })

  const notify = (reported: CallbackInput) =>
    bench().anonymous.workflow.status({ apiKey: callbackKey, ...reported })

  const seconds = () => Math.floor(bench().scope.clock.now() / 1000)

  const notifySigned = async (reported: CallbackInput, { secret = signingSecret, at = seconds() } = {}) => {
    const signature = await signedBy(secret, { at, body: JSON.stringify(reported) })
    return bench().anonymous.workflow.status({ signature, ...reported })
  }

  const actionsOf = async (on: Reviewed) =>
    (await infoOf(bench().api, on))?.history.map(({ action }) => action) ?? []

  /** Expects an error that changes nothing. */
  const refused = async (call: () => Promise<unknown>, { on, code }: Refused) => {
    const { api } = bench()
    const before = [await infoOf(api, on), await packageOf(api, on)]
    const error = await failing(call(), code)
    expect([await infoOf(api, on), await packageOf(api, on)]).toEqual(before)
    return error
  }

  describe('a callback of an engine', () => {
    it('is accepted by its key: step, status, next address, assignee, metadata and a comment', async () => {
      const { api, scope } = bench()
      const { on, instance } = await underReview(api)
      const assignee = { userName: 'ada', displayName: 'Ada', email: 'ada@example.org' }
      const nextActionUrl = 'https://engine.example.com/next/agrees'
      const given = { nextActionUrl, assignee, comment: 'Escalated', metadata: { hours: 4 } }
      scope.clock.advance(5_000)
      const outcome = await notify(reportedOf(on, instance, given))
      expect(outcome).toMatchObject({
        success: true,
        message: 'The workflow was updated: it is active, at "legal".',
      })
      const info = await infoOf(api, on)
      expect(outcome.workflowInfo).toEqual(info)
      expect(info).toMatchObject({ currentStep: 'legal', nextActionUrl, assignee, metadata: { hours: 4 } })
      expect(info?.history.at(-1)).toEqual({
        timestamp: scope.clock.now(),
        action: 'status_update',
        fromStep: 'editorial',
        toStep: 'legal',
        comment: 'Escalated',
        externalReference: instance,
      })
      const bare = await notify(
        reportedOf(on, instance, { currentStep: 'legal', nextActionUrl: null, assignee: null }),
      )
      expect(bare.workflowInfo).not.toHaveProperty('nextActionUrl')
      expect(bare.workflowInfo).not.toHaveProperty('assignee')
      expect(bare.workflowInfo).toMatchObject({ metadata: { hours: 4 } })
    })

    it('is accepted by its signature, once per signed message', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      const reported = reportedOf(on, instance)
      const first = await notifySigned(reported)
      expect(first.workflowInfo).toMatchObject({ currentStep: 'legal' })
      await notifySigned(reportedOf(on, instance, { currentStep: 'editorial' }))
      // The same bytes and time: repeated by the engine, or replayed by someone who intercepted it.
      expect((await notifySigned(reported)).message).toContain('already received')
      expect(await infoOf(api, on)).toMatchObject({ currentStep: 'editorial' })
      expect(await actionsOf(on)).toEqual(['start', 'status_update', 'status_update'])
    })

    it('with the same state twice makes one entry in the history', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      await notify(reportedOf(on, instance))
      const again = await notify(reportedOf(on, instance))
      expect(again).toMatchObject({ success: true, message: 'This status is already known.' })
      expect(await actionsOf(on)).toEqual(['start', 'status_update'])
    })

    it('is refused from anyone else, always with the same error', async () => {
      const { api, anonymous, system } = bench()
      const { on, instance } = await underReview(api)
      const other = 'key-of-another-connection'
      const secret = 'secret-of-another-connection'
      await system.workflowConnections.create({
        ...aConnection('Another engine'),
        callback: { apiKey: other, signingSecret: secret },
      })
      const reported = reportedOf(on, instance)
      const signature = await signedBy(signingSecret, { at: seconds(), body: JSON.stringify(reported) })
      const notifyWith = (given: Partial<Callback>) => anonymous.workflow.status({ ...reported, ...given })
      const calls: (() => Promise<unknown>)[] = [
        () => notifyWith({}),
        () => notifyWith({ apiKey: 'wrong-key-of-the-suite' }),
        () => notifyWith({ apiKey: '' }),
        () => notifyWith({ apiKey: other }),
        () => notifyWith({ apiKey: `${callbackKey}x` }),
        () => notifySigned(reported, { secret }),
        () => notifySigned(reported, { at: seconds() - 301 }),
        () => notifySigned(reported, { at: seconds() + 301 }),
        () => notifyWith({ signature, currentStep: 'Legal' }),
        () => notifyWith({ signature: signature.replace('v1=', 'v0=') }),
        () => notifyWith({ signature: signature.toUpperCase() }),
        () => notifyWith({ signature: 'nonsense' }),
        () => notifyWith({ signature, apiKey: 'wrong-key-of-the-suite' }),
        () => notifyWith({ signature: signature.slice(0, -1), apiKey: callbackKey }),
      ]
      const messages = new Set<string>()
      for (const call of calls) messages.add((await refused(call, { on, code: 'unauthorized' })).message)
      expect(messages.size).toBe(1)
      // The error also does not reveal whether a package, repository or workflow exists.
      const { on: fresh } = await aDraft(api)
      for (const where of [fresh, { ...on, packageName: 'ghost' }, { ...on, repositoryId: 'nowhere' }])
        messages.add((await failing(notify(reportedOf(where, instance)), 'unauthorized')).message)
      expect(messages.size).toBe(1)
      await notifyWith({ signature, apiKey: callbackKey })
      expect(await infoOf(api, on)).toMatchObject({ currentStep: 'legal' })
    })

    it('is accepted within five minutes of its time', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      await notifySigned(reportedOf(on, instance), { at: seconds() - 300 })
      await notifySigned(reportedOf(on, instance, { currentStep: 'editorial' }), { at: seconds() + 300 })
      expect(await infoOf(api, on)).toMatchObject({ currentStep: 'editorial' })
    })

    it('for another instance changes nothing', async () => {
      const { api } = bench()
      const [{ on }, other] = [await underReview(api), await underReview(api)]
      for (const instance of [other.instance, 'instance-none']) {
        const error = await refused(() => notify(reportedOf(on, instance)), { on, code: 'workflow_mismatch' })
        expect(error.message).toContain('Another workflow instance')
      }
    })

    it('completes the package, and is recognized when it is repeated', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      const end = reportedOf(on, instance, { status: 'completed' })
      expect((await notify(end)).workflowInfo).toMatchObject({
        status: 'completed',
        completedAt: expect.any(Number),
      })
      expect(await packageOf(api, on)).toMatchObject({ state: 'completed' })
      const known = await infoOf(api, on)
      expect(await notify(end)).toMatchObject({ success: true, workflowInfo: known })
      expect(await infoOf(api, on)).toEqual(known)
    })

    it('reopens a package whose workflow was cancelled in the engine, and keeps it', async () => {
      const { api } = bench()
      const { on, instance, article } = await underReview(api)
      await notify(reportedOf(on, instance, { status: 'cancelled' }))
      expect(await packageOf(api, on)).toMatchObject({ state: 'open' })
      await api.items.update({ ...inPackage(article, on.packageName), name: 'Goes on' })
      await act(api, 'start', { on })
      expect(await actionsOf(on)).toEqual(['start', 'status_update', 'start'])
    })

    it('with an error shows on the package until it is active again', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      await notify(reportedOf(on, instance, { status: 'error', comment: 'No approver' }))
      expect(await packageOf(api, on)).toMatchObject({ state: 'error' })
      await notify(reportedOf(on, instance))
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
    })

    it('never sends our credentials to another origin', async () => {
      const { api, scope } = bench()
      const { on, instance } = await underReview(api)
      const nextActionUrl = 'https://other.example.com/actions'
      const { workflowInfo } = await notify(reportedOf(on, instance, { nextActionUrl }))
      expect(workflowInfo).not.toHaveProperty('nextActionUrl')
      const { message } = await failing(act(api, 'approve', { on }), 'workflow_failed')
      expect(message).toBe('The engine named no address for the next action.')
      expect(scope.outbound.sent.filter(({ url }) => url.startsWith('https://other'))).toEqual([])
    })

    it('may name another origin that the connection allows', async () => {
      const { api, system, scope } = bench()
      const connection = await system.workflowConnections.create({
        ...aConnection('Engine with a task service'),
        allowedOrigins: ['https://tasks.example.com'],
      })
      const { id } = await definedAt(system, '/start/any', connection.id)
      const { on, instance } = await underReview(api, { workflowId: id })
      await notify(reportedOf(on, instance, { nextActionUrl: 'https://tasks.example.com/actions' }))
      await failing(act(api, 'approve', { on }), 'workflow_failed')
      expect(scope.outbound.sent.at(-1)?.url).toBe('https://tasks.example.com/actions')
    })

    it('identifies its instance when the answer to the start was lost', async () => {
      const { api, system } = bench()
      const { id: workflowId } = await definedAt(system, '/start/late')
      const { on } = await aDraft(api)
      await failing(act(api, 'start', { on, workflowId }), 'workflow_failed')
      expect(await infoOf(api, on)).toBeNull()
      const { workflowInfo } = await notify(reportedOf(on, 'found-again'))
      expect(workflowInfo).toMatchObject({ workflowInstanceId: 'found-again', currentStep: 'legal' })
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
      expect((await actionsOf(on))[0]).toBe('start')
      await failing(act(api, 'start', { on }), 'workflow_failed')
    })

    it('is in the log as an action of the engine', async () => {
      const { api } = bench()
      const { on, instance } = await underReview(api)
      const { id } = await packageOf(api, on)
      await notify(reportedOf(on, instance, { comment: 'Escalated' }))
      const { items } = await api.activity.list({ configId: 'magazine', entityId: id, limit: 1 })
      expect(items).toMatchObject([
        { event: 'PACKAGE_WORKFLOW', comment: 'Escalated', user: { userName: 'system:workflow' } },
      ])
    })
  })
}

interface Refused {
  readonly on: Reviewed
  readonly code: Parameters<typeof failing>[1]
}
