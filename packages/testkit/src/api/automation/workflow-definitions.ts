import type { WorkflowDefinition } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { aConnection, definedAt, engineUrl, prepareReviews, underReview } from './workflow-steps.ts'

export function workflowDefinitionTests(bench: () => Bench): void {
  beforeAll(() => prepareReviews(bench().system))

  let made = 0
  const aName = () => `Named ${++made}`

  const connect = () => bench().api.workflowConnections.create(aConnection(aName()))
  const define = (connectionId: string) => definedAt(bench().api, '/start', connectionId)

  describe('workflow definitions', () => {
    it('are created, read, listed, changed and deleted', async () => {
      const { api, scope } = bench()
      const { workflowDefinitions } = api
      const { id: connectionId } = await connect()
      const now = scope.clock.now()
      const name = aName()
      const created = await workflowDefinitions.create({
        name,
        connectionId,
        initialTriggerUrl: '/start?a=b',
      })
      const { id } = created
      expect(created).toEqual({
        id: expect.stringMatching(/^WFDF_/),
        name,
        connectionId,
        processDefinitionKey: null,
        initialTriggerUrl: '/start?a=b',
        description: '',
        createdDate: now,
        updatedDate: now,
      })
      expect(await workflowDefinitions.get({ id })).toEqual(created)
      expect((await workflowDefinitions.list()).items).toContainEqual(created)
      const changed = { processDefinitionKey: 'two step/ä', initialTriggerUrl: '/go/{processDefinitionKey}' }
      expect(await workflowDefinitions.update({ id, ...changed })).toEqual({ ...created, ...changed })
      await underReview(api, { workflowId: id })
      expect(scope.outbound.sent.at(-1)?.url).toBe(`${engineUrl}/go/two%20step%2F%C3%A4`)
      await workflowDefinitions.delete({ id })
      const gone = [
        workflowDefinitions.get({ id }),
        workflowDefinitions.update({ id, description: 'x' }),
        workflowDefinitions.delete({ id }),
      ]
      await allFailing(gone, 'not_found')
    })

    it('have unique names, an existing connection, a path, and entity tags', async () => {
      const { workflowDefinitions } = bench().api
      const { id: connectionId } = await connect()
      const [one, two] = [await define(connectionId), await define(connectionId)]
      await failing(workflowDefinitions.create({ ...definitionOf(one) }), 'name_taken')
      await failing(workflowDefinitions.update({ id: two.id, name: one.name }), 'name_taken')
      const nowhere = { connectionId: 'CONN_NONE' }
      expect(await invalidAt(workflowDefinitions.update({ id: one.id, ...nowhere }))).toEqual([
        'connectionId',
      ])
      for (const initialTriggerUrl of ['start', 'https://thief.example.com/', '/a b', '/a\\b', '/a#b', '']) {
        const create = workflowDefinitions.create({ name: aName(), connectionId, initialTriggerUrl })
        expect(await invalidAt(create), initialTriggerUrl).toEqual(['initialTriggerUrl'])
      }
      const stale = { ifMatch: 'another' }
      await allFailing(
        [
          workflowDefinitions.update({ id: one.id, description: 'x' }, stale),
          workflowDefinitions.delete({ id: one.id }, stale),
        ],
        'precondition_failed',
      )
      expect(await workflowDefinitions.get({ id: one.id })).toEqual(one)
    })

    it('cannot be deleted while a repository starts them by default', async () => {
      const { api } = bench()
      const { id } = await define((await connect()).id)
      const settings = (defaultWorkflowId: string | null) => ({ workflow: { defaultWorkflowId } })
      await api.repositories.create({ name: 'starting', settings: settings(id) })
      const { details } = await failing(api.workflowDefinitions.delete({ id }), 'referenced')
      expect(details).toEqual({ repositories: ['starting'] })
      await api.repositories.update({ id: 'starting', settings: settings(null) })
      await api.workflowDefinitions.delete({ id })
    })

    it('never lead away from the origin of their connection', async () => {
      const { api, scope } = bench()
      const { id: connectionId } = await connect()
      const initialTriggerUrl = '//thief.example.com/start'
      const { id: workflowId } = await api.workflowDefinitions.create({
        name: aName(),
        connectionId,
        initialTriggerUrl,
      })
      await underReview(api, { workflowId })
      expect(new URL(scope.outbound.sent.at(-1)?.url ?? '').origin).toBe(engineUrl)
    })
  })
}

function definitionOf({
  id: _id,
  createdDate: _created,
  updatedDate: _updated,
  ...given
}: WorkflowDefinition) {
  return given
}
