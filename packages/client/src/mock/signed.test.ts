import { createHmac } from 'node:crypto'
import { fakeOutbound, scriptedEngine } from '@quire/core/memory'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockQuire, type MockQuire } from './index.ts'

const signingSecret = 'signing-secret-of-the-mock'
const reviewed = { repositoryId: 'magazine', packageName: 'spring' }
const server = setupServer()
let mock: MockQuire

beforeAll(async () => {
  const engine = scriptedEngine([{ name: 'editorial' }, { name: 'legal' }])
  mock = await createMockQuire({
    outbound: fakeOutbound(engine.answer),
    prepare: async (quire) => {
      const { id: connectionId } = await quire.workflowConnections.create({
        name: 'Engine',
        baseUrl: engine.baseUrl,
        callbackBaseUrl: 'https://quire.example.com',
        auth: { kind: 'none' },
        callback: { signingSecret },
      })
      const { id: defaultWorkflowId } = await quire.workflowDefinitions.create({
        name: 'Review',
        connectionId,
        initialTriggerUrl: '/start',
      })
      const workflow = { enabled: true, defaultWorkflowId }
      await quire.repositories.create({ name: 'magazine', settings: { workflow } })
      await quire.packages.create({ repo: 'magazine', name: 'spring' })
      await quire.workflow.event({ event: 'start', ...reviewed })
    },
  })
  server.listen({ onUnhandledFrame: 'error' })
  server.use(...mock.handlers)
})

afterAll(async () => {
  server.close()
  await mock.quire.close()
})

/** Sends a callback like an engine, with the given body and a signature of the given text. */
async function notify(body: string, signedText = body): Promise<Response> {
  const time = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', signingSecret).update(`${time}.${signedText}`).digest('hex')
  return fetch(`${mock.baseUrl}/api/workflow/status`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-signature': `t=${time},v1=${mac}` },
    body,
  })
}

describe('a signed call of the mock', () => {
  const given = { status: 'active', currentStep: 'legal', workflowInstanceId: 'instance-1', ...reviewed }

  it('is authenticated by the bytes of its body, however the JSON is written', async () => {
    const { status } = await notify(JSON.stringify(given, null, 2))
    expect(status).toBe(200)
    const { workflowInfo } = await mock.api.workflow.get({ repo: 'magazine', packageName: 'spring' })
    expect(workflowInfo).toMatchObject({ currentStep: 'legal' })
  })

  it('is rejected if other bytes were signed, even if they are equivalent JSON', async () => {
    expect((await notify(JSON.stringify(given, null, 2), JSON.stringify(given))).status).toBe(401)
  })
})
