import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import {
  act,
  aDraft,
  definedAt,
  infoOf,
  packageOf,
  prepareReviews,
  underReview,
  type Reviewed,
} from './workflow-steps.ts'

const repo = 'magazine'

export function workflowRuleTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  /** The error of an action, for which the engine is not called and nothing changes. */
  const whyNot = async (on: Reviewed, ...[event, given = {}]: ActArguments) => {
    const { api, scope } = bench()
    const before = [await infoOf(api, on), await packageOf(api, on), scope.outbound.sent.length]
    const { message, details } = await failing(act(api, event, { on, ...given }), 'workflow_failed')
    expect([await infoOf(api, on), await packageOf(api, on), scope.outbound.sent.length]).toEqual(before)
    expect(details?.['workflowInfo']).toEqual(before[0])
    return message
  }

  describe('a review', () => {
    it('allows actions only once it has begun, and begins once', async () => {
      const { on } = await aDraft(bench().api)
      for (const event of ['approve', 'reject', 'route'] as const)
        expect(await whyNot(on, event)).toBe('No workflow is attached: start one first.')
      expect(await whyNot(on, 'assign', { assignee: { userName: 'nobody' } })).toBe(
        'No workflow is attached: start one first.',
      )
      await act(bench().api, 'start', { on })
      expect(await whyNot(on, 'start')).toBe('The package is already under review, at "editorial".')
      expect(await invalidAt(act(bench().api, 'assign', { on }))).toEqual(['assignee'])
    })

    it('requires an open package', async () => {
      const { api } = bench()
      const { on } = await aDraft(api)
      await api.packages.merge({ repo, packageName: on.packageName })
      expect(await whyNot(on, 'start')).toBe(
        'The package is merged. A review can only be started for an open package.',
      )
    })

    it('requires an existing workflow, in a repository with reviews', async () => {
      const { api, system } = bench()
      const { on } = await aDraft(api)
      expect(await whyNot(on, 'start', { workflowId: 'WFDF_NONE' })).toBe('There is no workflow "WFDF_NONE".')
      await system.repositories.create({ name: 'without' })
      await system.packages.create({ repo: 'without', name: 'any' })
      const elsewhere = { repositoryId: 'without', packageName: 'any' }
      expect(await whyNot(elsewhere, 'start')).toContain('not enabled')
      const settings = { workflow: { enabled: true } }
      await system.repositories.update({ id: 'without', settings })
      expect(await whyNot(elsewhere, 'start')).toContain('no default')
      const { id: workflowId, name } = await definedAt(system, '/start/another')
      const { workflowInfo } = await act(api, 'start', { on: elsewhere, workflowId })
      expect(workflowInfo).toMatchObject({ workflowName: name, status: 'active' })
    })

    it('requires an existing package and repository', async () => {
      const { api } = bench()
      const nowhere = { repositoryId: 'nowhere', packageName: 'any' }
      const ghost = { repositoryId: repo, packageName: 'ghost' }
      const calls = [nowhere, ghost].flatMap((on) => [
        act(api, 'start', { on }),
        act(api, 'assign', { on, assignee: { userName: 'x' } }),
        infoOf(api, on),
      ])
      await allFailing([...calls, api.workflow.inbox({ repo: 'nowhere' })], 'not_found')
    })

    it('that the engine ends with an error can be started again, and keeps its history', async () => {
      const { api, system } = bench()
      const { on } = await aDraft(api)
      const { id: workflowId } = await definedAt(system, '/start/errs')
      const { workflowInfo } = await act(api, 'start', { on, workflowId })
      expect(workflowInfo).toMatchObject({ status: 'error', currentStep: 'review' })
      expect(workflowInfo).not.toHaveProperty('completedAt')
      expect(await packageOf(api, on)).toMatchObject({ state: 'error' })
      const again = await act(api, 'start', { on })
      expect(again.workflowInfo).toMatchObject({ status: 'active', workflowName: 'Two-step review' })
      expect(again.workflowInfo?.history.map(({ toStep }) => toStep)).toEqual(['review', 'editorial'])
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
    })

    it('runs an action once per Idempotency-Key', async () => {
      const { api, scope } = bench()
      const { on } = await underReview(api)
      const options = { idempotencyKey: 'approve-once' }
      const approve = (comment: string) => api.workflow.event({ event: 'approve', ...on, comment }, options)
      const first = await approve('Fine')
      const asked = scope.outbound.sent.length
      expect(await approve('Fine')).toEqual(first)
      expect(scope.outbound.sent).toHaveLength(asked)
      await failing(approve('Better'), 'idempotency_mismatch')
      const info = await infoOf(api, on)
      expect(info?.history.map(({ action }) => action)).toEqual(['start', 'approve'])
    })

    it('accepts the same key again after a failure', async () => {
      const { api, system } = bench()
      const { on } = await aDraft(api)
      const options = { idempotencyKey: 'start-again' }
      const start = () => api.workflow.event({ event: 'start', ...on }, options)
      await system.repositories.update({ id: repo, settings: { workflow: { enabled: false } } })
      await failing(start(), 'workflow_failed')
      await system.repositories.update({ id: repo, settings: { workflow: { enabled: true } } })
      const begun = await start()
      expect(begun.success).toBe(true)
      expect(await start()).toEqual(begun)
    })

    it('is deleted with its repository, which may only contain deleted packages', async () => {
      const { system, scope } = bench()
      const { defaultWorkflowId } = (await system.repositories.get({ id: repo })).settings.workflow
      const workflow = { enabled: true, defaultWorkflowId }
      const { id: repositoryId } = await system.repositories.create({ name: 'brief', settings: { workflow } })
      const on = { repositoryId, packageName: 'short' }
      await system.packages.create({ repo: repositoryId, name: on.packageName })
      await act(system, 'start', { on })
      await act(system, 'cancel', { on })
      const stored = async () =>
        (await scope.store.records.list('workflow')).filter((one) => one.repositoryId === repositoryId)
      expect(await stored()).toHaveLength(1)
      await system.repositories.delete({ id: repositoryId })
      expect(await stored()).toEqual([])
    })

    it('is in the inbox of its repository until it ends, by assignee and by status', async () => {
      const { api, system, asUser } = bench()
      await system.users.create({ id: 'desk@example.org', name: 'Desk' })
      const viewers = await system.roles.create({
        name: 'Reviewers',
        bundles: ['bundle.viewer'],
        users: ['desk@example.org'],
      })
      expect(viewers.users).toEqual(['desk@example.org'])
      const [mine, other, done] = [await underReview(api), await underReview(api), await underReview(api)]
      const assignee = { userName: 'desk@example.org' }
      await act(api, 'assign', { on: mine.on, assignee })
      for (const event of ['approve', 'approve'] as const) await act(api, event, { on: done.on })
      const desk = asUser('desk@example.org')
      const names = async (input: Omit<Parameters<typeof api.workflow.inbox>[0], 'repo'>) => {
        const { items } = await desk.workflow.inbox({ repo, ...input })
        return items.map((one) => one.package.name)
      }
      const all = await names({})
      expect(all).toEqual(expect.arrayContaining([mine.on.packageName, other.on.packageName]))
      expect(all).not.toContain(done.on.packageName)
      expect(await names({ assignee: 'me' })).toEqual([mine.on.packageName])
      expect(await names({ assignee: 'desk@example.org' })).toEqual([mine.on.packageName])
      expect(await names({ assignee: 'nobody@example.org' })).toEqual([])
      expect(await names({ status: 'completed' })).toContain(done.on.packageName)
      expect(await names({ status: 'error', assignee: 'me' })).toEqual([])
      const page = await desk.workflow.inbox({ repo, limit: 1 })
      const next = await desk.workflow.inbox({ repo, limit: 1, cursor: page.nextCursor ?? '' })
      expect(page.items).toHaveLength(1)
      expect(next.items).not.toEqual(page.items)
      const [review] = (await desk.workflow.inbox({ repo, assignee: 'me' })).items
      expect(review).toEqual({
        package: await packageOf(api, mine.on),
        workflowInfo: await infoOf(api, mine.on),
      })
    })
  })
}

type Acting = Parameters<typeof act>
type ActArguments = [event: Acting[1], given?: Omit<Acting[2], 'on'>]
