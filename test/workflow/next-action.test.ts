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
  // It listens on a port, not on a pipe.
  sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/sink`
}, 60_000)
afterAll(async () => {
  sink.close()
  await world.close()
})

async function infoOf(packageName: string) {
  return (await world.client.workflow.get({ repo: repository, packageName })).workflowInfo
}

describe('an address for the next action on another origin', () => {
  const elsewhere: readonly (readonly [string, () => string])[] = [
    ['of another port', () => sinkUrl],
    ['without a scheme', () => sinkUrl.replace('http:', '')],
    [
      'behind the name of the engine',
      () => sinkUrl.replace('//', `//${new URL(world.engine.baseUrl).host}@`),
    ],
    ['with backslashes', () => sinkUrl.replace('http://', String.raw`\\`)],
  ]

  it.each(elsewhere)('%s that a start is answered with is not kept', async (_what, nextActionUrl) => {
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

  it('that a callback names takes away the one before, until another is named', async () => {
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

  it('is never asked, and the credential of the connection goes to the engine alone', async () => {
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
