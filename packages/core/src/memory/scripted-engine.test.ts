import { EngineAnswer, parseAs, type Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { systemIdentity } from '../engine/access/identity.ts'
import type { JsonObject } from '../ports/index.ts'
import { createQuire } from '../quire.ts'
import { fakeOutbound } from './outbound.ts'
import { scriptedEngine, type ScriptedEngine } from './scripted-engine.ts'
import { createMemoryStore } from './store.ts'

const bounds = { method: 'POST', connectMs: 1, totalMs: 1, maxAnswerBytes: 1000 }

/** Posts to an engine; `key`: its Idempotency-Key. */
async function post({ answer }: ScriptedEngine, url: string, given: { body: JsonObject; key?: string }) {
  const headers = given.key === undefined ? [] : [['Idempotency-Key', given.key] as const]
  const { status, body } = await answer({ ...bounds, url, headers, body: JSON.stringify(given.body) })
  const value: JsonObject = JSON.parse(new TextDecoder().decode(body))
  return { status, value }
}

const start = { action: 'start', type: 'package', payload: { id: 'PACK_1' } }
const startUrl = 'https://engine.example.com/start/anything'
const actionsUrl = 'https://engine.example.com/instances/instance-1/actions'

async function begun() {
  const engine = scriptedEngine([{ name: 'editorial' }, { name: 'legal' }, { name: 'chief' }])
  await post(engine, startUrl, { body: start })
  const act = async (action: string, targetStep?: string) => {
    const body = { workflowInstanceId: 'instance-1', action, ...(targetStep && { targetStep }) }
    const { status, value } = await post(engine, actionsUrl, { body })
    return [status, value['currentStep'] ?? null, value['status'] ?? null]
  }
  return { engine, act }
}

describe('a scripted engine', () => {
  it('starts a workflow at its first step, at any address', async () => {
    const engine = scriptedEngine([{ name: 'editorial', label: 'Editors', allowedActions: ['approve'] }])
    const { status, value } = await post(engine, startUrl, { body: start })
    const groups = { assignedGroups: [] }
    expect([status, value]).toEqual([
      200,
      {
        workflowInstanceId: 'instance-1',
        currentStep: 'editorial',
        status: 'active',
        nextActionUrl: actionsUrl,
        steps: [{ name: 'editorial', label: 'Editors', allowedActions: ['approve'], ...groups }],
      },
    ])
    expect(parseAs(EngineAnswer, value)).toMatchObject({ value })
  })

  it('has one review step by default', async () => {
    const engine = scriptedEngine()
    const { value } = await post(engine, startUrl, { body: start })
    expect(value['steps']).toEqual([
      {
        name: 'review',
        label: 'Review',
        allowedActions: ['approve', 'reject', 'route', 'cancel'],
        assignedGroups: [],
      },
    ])
  })

  it('goes from step to step with each approval, and from the last one to the end', async () => {
    const { act } = await begun()
    expect(await act('approve')).toEqual([200, 'legal', 'active'])
    expect(await act('approve')).toEqual([200, 'chief', 'active'])
    expect(await act('approve')).toEqual([200, 'chief', 'completed'])
  })

  it('goes back to the first step when it rejects', async () => {
    const { act } = await begun()
    await act('approve')
    expect(await act('reject')).toEqual([200, 'editorial', 'active'])
  })

  it('goes to the named step, or to the next one', async () => {
    const { act } = await begun()
    expect(await act('route', 'chief')).toEqual([200, 'chief', 'active'])
    expect(await act('route', 'editorial')).toEqual([200, 'editorial', 'active'])
    expect(await act('route')).toEqual([200, 'legal', 'active'])
    expect(await act('route', 'chef')).toEqual([422, null, null])
  })

  it('accepts no action after the end', async () => {
    const { engine, act } = await begun()
    expect(await act('cancel')).toEqual([200, 'editorial', 'cancelled'])
    expect(await act('approve')).toEqual([409, null, null])
    expect(engine.instances).toMatchObject([{ status: 'cancelled', currentStep: 'editorial' }])
    expect(engine.instances[0]?.inUse.map(({ action }) => action)).toEqual(['start', 'cancel'])
  })

  it('does not know instances that it did not start', async () => {
    const { engine } = await begun()
    const elsewhere = actionsUrl.replace('instance-1', 'instance-2')
    expect((await post(engine, elsewhere, { body: { action: 'approve' } })).status).toBe(404)
  })

  it('keeps workflows apart', async () => {
    const { engine, act } = await begun()
    await post(engine, startUrl, { body: start })
    await act('approve')
    expect(engine.instances.map(({ id, currentStep }) => [id, currentStep])).toEqual([
      ['instance-1', 'legal'],
      ['instance-2', 'editorial'],
    ])
  })

  it('acts once on requests with the same key, and answers the same', async () => {
    const engine = scriptedEngine([{ name: 'a' }, { name: 'b' }])
    const first = await post(engine, startUrl, { body: start, key: 'one' })
    expect(await post(engine, startUrl, { body: start, key: 'one' })).toEqual(first)
    const approve = { body: { action: 'approve' }, key: 'two' }
    const second = await post(engine, actionsUrl, approve)
    expect(await post(engine, actionsUrl, approve)).toEqual(second)
    expect(engine.instances).toMatchObject([{ currentStep: 'b', status: 'active' }])
    expect(engine.instances[0]?.inUse).toHaveLength(2)
  })

  it('acts on requests with another key, or with the key of a refused request', async () => {
    const { engine } = await begun()
    const route = (targetStep: string, key: string) =>
      post(engine, actionsUrl, { body: { action: 'route', targetStep }, key })
    expect((await route('chef', 'one')).status).toBe(422)
    expect((await route('chief', 'one')).status).toBe(200)
    expect((await route('legal', 'two')).value['currentStep']).toBe('legal')
  })

  it('answers at the configured address', async () => {
    const engine = scriptedEngine([{ name: 'a' }], 'https://other.example.com')
    const { value } = await post(engine, 'https://other.example.com/x', { body: start })
    expect([engine.baseUrl, value['nextActionUrl']]).toEqual([
      'https://other.example.com',
      'https://other.example.com/instances/instance-1/actions',
    ])
  })
})

describe('a scripted engine that calls back', () => {
  const apiKey = 'key-of-the-scripted-engine'

  async function reviewed() {
    const engine = scriptedEngine([{ name: 'editorial' }, { name: 'legal' }])
    const outbound = fakeOutbound(engine.answer)
    const quire: Api = createQuire({ store: createMemoryStore(), outbound }).as(systemIdentity('test'))
    const { id: connectionId } = await quire.workflowConnections.create({
      name: 'Engine',
      baseUrl: engine.baseUrl,
      callbackBaseUrl: 'https://quire.example.com',
      auth: { kind: 'none' },
      callback: { apiKey },
    })
    const { id: defaultWorkflowId } = await quire.workflowDefinitions.create({
      name: 'Review',
      connectionId,
      initialTriggerUrl: '/start',
    })
    await quire.repositories.create({
      name: 'magazine',
      settings: { workflow: { enabled: true, defaultWorkflowId } },
    })
    const begin = async (name: string) => {
      await quire.packages.create({ repo: 'magazine', name })
      const on = { repositoryId: 'magazine', packageName: name }
      await quire.workflow.event({ event: 'start', ...on })
      return on
    }
    return { engine, quire, begin }
  }

  it('reports a step that a workflow went to by itself, and continues from there', async () => {
    const { engine, quire, begin } = await reviewed()
    const on = await begin('spring')
    const { workflowInfo } = await engine.notify(quire, { apiKey, currentStep: 'legal', comment: 'Too late' })
    expect(workflowInfo).toMatchObject({ currentStep: 'legal', status: 'active' })
    expect(workflowInfo?.history.at(-1)).toMatchObject({ action: 'status_update', comment: 'Too late' })
    const approved = await quire.workflow.event({ event: 'approve', ...on })
    expect(approved.workflowInfo).toMatchObject({ status: 'completed' })
  })

  it('reports the named workflow, or the last one', async () => {
    const { engine, quire, begin } = await reviewed()
    await begin('spring')
    await begin('summer')
    await engine.notify(quire, { apiKey, status: 'error' })
    await engine.notify(quire, { apiKey, instanceId: 'instance-1', status: 'completed' })
    expect(engine.instances.map(({ status }) => status)).toEqual(['completed', 'error'])
    const { items } = await quire.packages.list({ repo: 'magazine' })
    const states = new Map(items.map(({ name, state }) => [name, state]))
    expect(states).toEqual(
      new Map([
        ['spring', 'completed'],
        ['summer', 'error'],
      ]),
    )
  })

  it('can call back twice, late, or with a wrong key', async () => {
    const { engine, quire, begin } = await reviewed()
    await begin('spring')
    const twice = { apiKey, currentStep: 'legal' }
    await engine.notify(quire, twice)
    expect((await engine.notify(quire, twice)).message).toContain('already known')
    await engine.notify(quire, { apiKey, status: 'completed' })
    const again = await engine.notify(quire, { apiKey, status: 'active', currentStep: 'editorial' })
    expect(again.workflowInfo).toMatchObject({ status: 'active', currentStep: 'editorial' })
    expect(engine.instances).toMatchObject([{ status: 'active', currentStep: 'editorial' }])
    const wrong = engine.notify(quire, { apiKey: 'another-key-of-an-engine' })
    await expect(wrong).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('cannot report a workflow that it did not start', async () => {
    const { engine, quire } = await reviewed()
    await expect(engine.notify(quire, { apiKey })).rejects.toThrow('No workflow')
  })
})
