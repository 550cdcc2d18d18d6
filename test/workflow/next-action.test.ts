import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { act } from './act.ts'
import { notify } from './call-back.ts'
import { sendJson, sound } from './engine.ts'
import { openWorld, repository, secrets, type World } from './world.ts'

let world: World
const hits: IncomingHttpHeaders[] = []
const sink = createServer((request, response) => {
  hits.push(request.headers)
  response.end('{}')
})
let sinkUrl = ''

beforeAll(async () => {
  world = await openWorld({ timeoutMs: 5000 })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/sink`
}, 60_000)
afterAll(async () => {
  sink.close()
  await world.close()
})

async function infoOf(packageName: string) {
  return (await world.client.workflow.get({ repo: repository, packageName })).workflowInfo
}

describe('a next-action address on another origin', () => {
  const elsewhere: readonly (readonly [string, () => string])[] = [
    ['of another port', () => sinkUrl],
    ['without a scheme', () => sinkUrl.replace('http:', '')],
    [
      'behind the name of the engine',
      () => sinkUrl.replace('//', `//${new URL(world.engine.baseUrl).host}@`),
    ],
    ['with backslashes', () => sinkUrl.replace('http://', String.raw`\\`)],
  ]

  it.each(elsewhere)('%s is ignored in the answer to a start', async (_what, nextActionUrl) => {
    const { engine, served } = world
    engine.reactBy(({ response, take }) =>
      sendJson(response, 200, { ...take(), nextActionUrl: nextActionUrl() }),
    )
    const packageName = await world.aPackage()
    const start = await act(served, { event: 'start', packageName })
    expect(start.body).toMatchObject({ success: true, workflowInfo: { currentStep: 'editorial' } })
    expect(start.body.workflowInfo).not.toHaveProperty('nextActionUrl')
    engine.reactBy(sound)
    const asked = engine.asked.length
    const next = await act(served, { event: 'approve', packageName })
    expect(next).toMatchObject({ status: 400, body: { success: false, code: 'workflow_failed' } })
    expect(engine.asked).toHaveLength(asked)
    expect((await infoOf(packageName))?.history).toHaveLength(1)
  })

  it('in a callback invalidates the previous address until a valid one arrives', async () => {
    const { engine, served } = world
    engine.reactBy(sound)
    const packageName = await world.aPackage()
    const { body } = await act(served, { event: 'start', packageName })
    const { workflowInstanceId = '', nextActionUrl = '' } = body.workflowInfo ?? {}
    const reported = { packageName, workflowInstanceId, currentStep: 'legal', status: 'active' } as const
    expect((await notify(served.url, { ...reported, nextActionUrl: sinkUrl })).status).toBe(200)
    expect(await infoOf(packageName)).not.toHaveProperty('nextActionUrl')
    expect((await act(served, { event: 'approve', packageName })).status).toBe(400)
    expect((await notify(served.url, { ...reported, nextActionUrl, comment: 'Here' })).status).toBe(200)
    expect((await act(served, { event: 'approve', packageName })).status).toBe(200)
  })

  it('is never called, and the credentials of the connection are sent only to the engine', async () => {
    expect(hits).toEqual([])
    const sent = new Set(world.engine.asked.map(({ headers }) => headers.authorization))
    expect([...sent]).toEqual([`Bearer ${secrets.token}`])
    const visible = [
      await world.client.workflowConnections.list({}),
      await world.client.workflow.inbox({ repo: repository }),
      await world.client.activity.list({ configId: repository }),
      await world.client.queue.list({}),
    ]
    expect(JSON.stringify(visible)).not.toContain(secrets.token)
    expect(world.served.server.lines.join('\n')).not.toContain(secrets.token)
  })
})
