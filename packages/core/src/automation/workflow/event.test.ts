import type { Contract, InputOf } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createMemoryStore, fakeOutbound, scriptedEngine } from '../../memory/index.ts'
import type { OutboundRequest } from '../../ports/index.ts'
import { createQuire } from '../../quire.ts'

type Event = InputOf<Contract['workflow']['event']>

const apiKey = 'key-of-the-engine-of-tests'
const on = { repositoryId: 'magazine', packageName: 'spring' }

/**
 * A package that can be reviewed in two steps. `lost`: statuses that replace those of the next
 * answers, after the engine has acted.
 */
async function aReview() {
  const engine = scriptedEngine([{ name: 'editorial' }, { name: 'legal' }])
  const lost: number[] = []
  const answer = async (request: OutboundRequest) => {
    const given = await engine.answer(request)
    return { ...given, status: lost.shift() ?? given.status }
  }
  const outbound = fakeOutbound(answer)
  const api = createQuire({ store: createMemoryStore(), outbound }).as(systemIdentity('test'))
  const connection = await api.workflowConnections.create({
    name: 'Engine',
    baseUrl: engine.baseUrl,
    callbackBaseUrl: 'https://quire.example.com',
    auth: { kind: 'none' },
    callback: { apiKey, signingSecret: null },
  })
  const definition = await api.workflowDefinitions.create({
    name: 'Two steps',
    connectionId: connection.id,
    initialTriggerUrl: '/start/two-steps',
  })
  const workflow = { enabled: true, defaultWorkflowId: definition.id }
  await api.repositories.create({ name: on.repositoryId, settings: { workflow } })
  await api.packages.create({ repo: on.repositoryId, name: on.packageName })
  const act = (event: Event['event'], members: Partial<Event> = {}) =>
    api.workflow.event({ ...on, event, ...members })
  const history = async () => {
    const { workflowInfo } = await api.workflow.get({ repo: on.repositoryId, packageName: on.packageName })
    return workflowInfo?.history.map(({ action }) => action) ?? null
  }
  const asked = () =>
    outbound.sent.map(({ body, headers }) => ({ ...JSON.parse(String(body)), key: keyOf(headers) }))
  return { act, api, asked, connection, engine, history, lost }
}

function keyOf(headers: OutboundRequest['headers']): string | undefined {
  return headers.find(([name]) => name === 'idempotency-key')?.[1]
}

describe('the metadata of an event', () => {
  const ours = ['workflowInstanceId', 'action', 'targetStep', 'comment', 'user', 'type']
  const addresses = ['callbackBaseUrl', 'statusCallbackUrl', 'payload']
  const metadata = Object.fromEntries([...ours, ...addresses, 'urgency'].map((name) => [name, 'foreign']))

  it.each(['start', 'approve'] as const)(
    'is added to the request of a %s, and never replaces a member of it',
    async (event) => {
      const plain = await aReview()
      const dressed = await aReview()
      for (const { act } of [plain, dressed]) if (event !== 'start') await act('start')
      await plain.act(event)
      await dressed.act(event, { metadata })
      const { urgency, ...reply } = dressed.asked().at(-1) ?? {}
      expect(urgency).toBe('foreign')
      expect(Object.entries(reply).filter(([, value]) => value === 'foreign')).toEqual([])
      expect(Object.keys(reply)).toEqual(Object.keys(plain.asked().at(-1) ?? {}))
    },
  )
})

describe('an action without a conclusive answer', () => {
  it('is repeated and resolved before any other action', async () => {
    const { act, asked, history, lost } = await aReview()
    await act('start')
    lost.push(502)
    await expect(act('approve')).rejects.toMatchObject({ code: 'workflow_failed' })
    expect(await history()).toEqual(['start'])
    expect((await act('reject')).workflowInfo).toMatchObject({ currentStep: 'editorial' })
    expect(await history()).toEqual(['start', 'approve', 'reject'])
    const [, first, second, third] = asked()
    expect(second).toEqual(first)
    expect(third.action).toBe('reject')
  })

  it('blocks all other actions until it is resolved', async () => {
    const { act, asked, history, lost } = await aReview()
    await act('start')
    lost.push(502, 503)
    await expect(act('approve')).rejects.toThrow('It is unknown whether the engine accepted the approve')
    await expect(act('reject')).rejects.toThrow(
      'It is unknown whether the engine accepted the earlier approve',
    )
    expect(asked().map(({ action }) => action)).toEqual(['start', 'approve', 'approve'])
    expect(await history()).toEqual(['start'])
  })

  it('is repeated by the same request, and takes effect once', async () => {
    const { act, asked, engine, history, lost } = await aReview()
    lost.push(504)
    await expect(act('start')).rejects.toMatchObject({ code: 'workflow_failed' })
    await act('start')
    const [first, second, ...others] = asked()
    expect([second.key, others]).toEqual([first.key, []])
    expect(engine.instances).toHaveLength(1)
    expect(await history()).toEqual(['start'])
  })
})

describe('a start that was refused at a later attempt', () => {
  const given = async () => {
    const review = await aReview()
    review.lost.push(502, 422)
    await expect(review.act('start')).rejects.toMatchObject({ code: 'workflow_failed' })
    await expect(review.act('start')).rejects.toThrow('The engine rejected the request with 422')
    return review
  }

  it('takes effect if the engine reports it nevertheless', async () => {
    const { api, engine, history } = await given()
    await engine.notify(api, { apiKey, currentStep: 'legal' })
    expect(await history()).toEqual(['start', 'status_update'])
    expect(await api.packages.get({ repo: on.repositoryId, packageName: on.packageName })).toMatchObject({
      state: 'inReview',
    })
  })

  it('is repeated with the same key if it is requested again', async () => {
    const { act, asked, engine, history } = await given()
    await act('start')
    expect(new Set(asked().map(({ key }) => key)).size).toBe(1)
    expect([engine.instances.length, await history()]).toEqual([1, ['start']])
  })

  it('does not prevent a merge of the package', async () => {
    const { api } = await given()
    await api.packages.merge({ repo: on.repositoryId, packageName: on.packageName })
    expect(await api.packages.get({ repo: on.repositoryId, packageName: on.packageName })).toMatchObject({
      state: 'merged',
    })
  })

  it('does not prevent the deletion of the connection', async () => {
    const { api, connection } = await given()
    const workflow = { enabled: false, defaultWorkflowId: null }
    await api.repositories.update({ id: on.repositoryId, settings: { workflow } })
    for (const { id } of (await api.workflowDefinitions.list()).items)
      await api.workflowDefinitions.delete({ id })
    await api.workflowConnections.delete({ id: connection.id })
    expect((await api.workflowConnections.list()).items).toEqual([])
  })
})

describe('a review whose instance the engine no longer knows', () => {
  it.each([404, 410])('can be started again after %i', async (status) => {
    const { act, api, history, lost } = await aReview()
    const { workflowInfo: before } = await act('start')
    lost.push(status)
    await expect(act('approve')).rejects.toMatchObject({ details: { workflowInfo: { status: 'error' } } })
    expect(await api.packages.get({ repo: on.repositoryId, packageName: on.packageName })).toMatchObject({
      state: 'error',
    })
    const { workflowInfo } = await act('start')
    expect(workflowInfo).toMatchObject({ status: 'active' })
    expect(workflowInfo?.workflowInstanceId).not.toBe(before?.workflowInstanceId)
    expect(await history()).toEqual(['start', 'status_update', 'start'])
  })
})
