import { beforeAll, describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { inPackage } from '../branches/package-steps.ts'
import { locales } from '../content/locales.ts'
import type { Bench } from '../host.ts'
import { act, aDraft, engineUrl, infoOf, packageOf, prepareReviews, underReview } from './workflow-steps.ts'

const repo = 'magazine'

/** The review of a package, from its start to its end. */
export function workflowTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  const inSeconds = (ms: number) => Math.floor(ms / 1000)

  /** The last request to the engine. */
  const lastAsked = () => {
    const sent = bench().scope.outbound.sent.at(-1)
    const headers = new Map(sent?.headers)
    return { url: sent?.url, headers, body: JSON.parse(String(sent?.body)) as Record<string, unknown> }
  }

  /** The log of a package, oldest first. */
  const logOf = async (entityId: string) => {
    const { items } = await bench().api.activity.list({ configId: repo, entityId })
    return items.map(({ event }) => event).toReversed()
  }

  describe('a review', () => {
    it('starts with the workflow of the repository, and freezes the package', async () => {
      const { api, scope } = bench()
      const { on, article } = await aDraft(api)
      const before = await packageOf(api, on)
      expect(await infoOf(api, on)).toBeNull()
      const now = scope.clock.now()
      const outcome = await act(api, 'start', { on, comment: 'Please', metadata: { urgency: 3 } })
      const instance = outcome.workflowInfo?.workflowInstanceId ?? ''
      const step = { allowedActions: ['approve', 'reject', 'route', 'cancel'], assignedGroups: [] }
      expect(outcome).toEqual({
        success: true,
        message: 'The review has begun: it is active, at "editorial".',
        workflowInfo: {
          workflowName: 'Two-step review',
          workflowInstanceId: expect.stringMatching(/^instance-\d+$/),
          currentStep: 'editorial',
          status: 'active',
          nextActionUrl: `${engineUrl}/instances/${instance}/actions`,
          startedAt: inSeconds(now),
          steps: [
            { name: 'editorial', label: 'Editorial review', ...step },
            { name: 'legal', label: 'legal', ...step },
          ],
          history: [
            {
              timestamp: now,
              action: 'start',
              fromStep: null,
              toStep: 'editorial',
              user: before.createdByUser,
              comment: 'Please',
              externalReference: instance,
            },
          ],
        },
      })
      expect(await infoOf(api, on)).toEqual(outcome.workflowInfo)
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
      await failing(api.items.update({ ...inPackage(article, on.packageName), name: 'No' }), 'invalid_state')
      await failing(api.packages.merge({ repo, packageName: on.packageName }), 'invalid_state')
      await api.repositories.update({ id: repo, settings: { locales } })
      const late = { configId: repo, packageName: on.packageName, itemId: article.id, locale: 'de' }
      await failing(api.translations.confirm(late), 'invalid_state')
      const file = new File(['<xliff/>'], 'x.xlf')
      await failing(
        api.translations.import({ configId: repo, packageName: on.packageName, file }),
        'invalid_state',
      )
      await api.repositories.update({ id: repo, settings: { locales: null } })
      const { url, headers, body } = lastAsked()
      expect(url).toBe(`${engineUrl}/start/two-step`)
      expect(headers.get('authorization')).toBe('Bearer token-of-the-suite')
      expect(headers.get('idempotency-key')).toMatch(/^WFAC_/)
      expect(body).toEqual({
        action: 'start',
        type: 'package',
        callbackBaseUrl: 'https://quire.example.com',
        statusCallbackUrl: 'https://quire.example.com/api/workflow/status',
        payload: before,
        urgency: 3,
      })
    })

    it('goes from step to step to its end, and the package is completed', async () => {
      const { api, scope } = bench()
      const { on, instance } = await underReview(api)
      const { id, createdByUser: user } = await packageOf(api, on)
      const begun = scope.clock.now()
      scope.clock.advance(5_000)
      const first = await act(api, 'approve', { on, comment: 'Fine', metadata: { score: 9 } })
      expect(first.message).toBe('The engine accepted the approval: it is active, at "legal".')
      expect(lastAsked()).toMatchObject({
        url: `${engineUrl}/instances/${instance}/actions`,
        body: { workflowInstanceId: instance, action: 'approve', comment: 'Fine', user, score: 9 },
      })
      scope.clock.advance(5_000)
      const { workflowInfo } = await act(api, 'approve', { on })
      const entry = { user, externalReference: instance }
      expect(workflowInfo).toMatchObject({
        status: 'completed',
        currentStep: 'legal',
        startedAt: inSeconds(begun),
        completedAt: inSeconds(begun + 10_000),
      })
      expect(workflowInfo).not.toHaveProperty('nextActionUrl')
      expect(workflowInfo?.history).toEqual([
        { ...entry, timestamp: begun, action: 'start', fromStep: null, toStep: 'editorial' },
        {
          ...entry,
          timestamp: begun + 5_000,
          action: 'approve',
          fromStep: 'editorial',
          toStep: 'legal',
          comment: 'Fine',
        },
        { ...entry, timestamp: begun + 10_000, action: 'approve', fromStep: 'legal', toStep: 'legal' },
      ])
      expect(await packageOf(api, on)).toMatchObject({ state: 'completed' })
      const moves = ['PACKAGE_WORKFLOW', 'PACKAGE_WORKFLOW', 'PACKAGE_WORKFLOW']
      expect(await logOf(id)).toEqual(['PACKAGE_CREATED', ...moves])
      const { message } = await failing(act(api, 'approve', { on }), 'workflow_failed')
      expect(message).toBe('The workflow has ended: it is completed.')
      await api.packages.merge({ repo, packageName: on.packageName })
      expect(await packageOf(api, on)).toMatchObject({ state: 'merged' })
    })

    it('records in the journal what was done, from which step to which', async () => {
      const { api, scope } = bench()
      const { on } = await underReview(api)
      await act(api, 'approve', { on })
      const [last] = await scope.store.journal.readBack({ limit: 1 })
      expect(last).toMatchObject({
        event: 'PACKAGE_WORKFLOW',
        details: { action: 'approve', fromStep: 'editorial', toStep: 'legal', status: 'active' },
      })
    })

    it('that is rejected reopens the package for changes, and another approval freezes it again', async () => {
      const { api } = bench()
      const { on, article } = await underReview(api)
      const change = inPackage(article, on.packageName)
      await act(api, 'approve', { on })
      const rejected = await act(api, 'reject', { on, comment: 'Page 2' })
      expect(rejected.workflowInfo).toMatchObject({ status: 'active', currentStep: 'editorial' })
      expect(rejected.workflowInfo?.history.at(-1)).toMatchObject({
        action: 'reject',
        fromStep: 'legal',
        toStep: 'editorial',
        comment: 'Page 2',
      })
      expect(await packageOf(api, on)).toMatchObject({ state: 'open' })
      expect(await api.items.update({ ...change, name: 'Mended' })).toMatchObject({ name: 'Mended' })
      const { message } = await failing(
        api.packages.merge({ repo, packageName: on.packageName }),
        'invalid_state',
      )
      expect(message).toContain('under review')
      await failing(act(api, 'start', { on }), 'workflow_failed')
      await act(api, 'approve', { on })
      expect(await packageOf(api, on)).toMatchObject({ state: 'inReview' })
      await failing(api.items.update({ ...change, name: 'Late' }), 'invalid_state')
    })

    it('can be routed to an existing step', async () => {
      const { api, scope } = bench()
      const { on } = await underReview(api)
      const asked = scope.outbound.sent.length
      const { message } = await failing(act(api, 'route', { on, targetStep: 'printing' }), 'workflow_failed')
      expect(message).toBe('The workflow has no step "printing". Its steps are editorial, legal.')
      expect(scope.outbound.sent).toHaveLength(asked)
      const { workflowInfo } = await act(api, 'route', { on, targetStep: 'legal' })
      expect(workflowInfo).toMatchObject({ currentStep: 'legal', status: 'active' })
      expect(lastAsked().body).toMatchObject({ action: 'route', targetStep: 'legal' })
    })

    it('that is cancelled deletes the package, and can still be read by its id', async () => {
      const { api } = bench()
      const { on, article } = await underReview(api)
      const { id } = await packageOf(api, on)
      const { workflowInfo, message } = await act(api, 'cancel', { on, comment: 'Never mind' })
      expect(message).toContain('deleted')
      const actions = workflowInfo?.history.map(({ action }) => action)
      expect({ ...workflowInfo, actions }).toMatchObject({
        status: 'cancelled',
        actions: ['start', 'cancel'],
      })
      await failing(packageOf(api, on), 'not_found')
      await failing(infoOf(api, on), 'not_found')
      expect(await infoOf(api, { ...on, packageName: id })).toEqual(workflowInfo)
      expect(await logOf(id)).toEqual([
        'PACKAGE_CREATED',
        'PACKAGE_WORKFLOW',
        'PACKAGE_WORKFLOW',
        'PACKAGE_DELETED',
      ])
      expect((await api.packages.list({ repo, state: 'deleted' })).items).toContainEqual(
        expect.objectContaining({ id, state: 'deleted' }),
      )
      expect(await api.items.get({ configId: repo, id: article.id })).toMatchObject({ name: 'Reviewed' })
      await failing(act(api, 'start', { on }), 'not_found')
    })

    it('ends when its package is deleted manually, and its history remains', async () => {
      const { api } = bench()
      const { on } = await underReview(api)
      const { id } = await packageOf(api, on)
      await api.packages.delete({ repo, packageName: on.packageName })
      const info = await infoOf(api, { ...on, packageName: id })
      expect(info).toMatchObject({ status: 'cancelled', completedAt: expect.any(Number) })
      expect(info?.history.map(({ action }) => action)).toEqual(['start'])
    })
  })
}
