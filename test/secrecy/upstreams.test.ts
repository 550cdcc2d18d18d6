import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administratorEnv, administratorToken } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { CanaryWatch } from './canary-watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-upstreams-'))
const data = join(folder, 'data')
const env = { ...administratorEnv, QUIRE_LOG: 'debug' }
const startMs = 60_000

let server: ServerProcess
let receiver: Server
/** The bodies of deliveries, and their header lines. */
const bodies: string[] = []
const heads: string[] = []
const watch = new CanaryWatch(() => server.url)
let token = ''
/** The receiver's answer as a workflow engine. */
const begun = { id: 'one', currentStep: 'review', status: 'active', nextActionUrl: '/engine/actions' }

beforeAll(async () => {
  receiver = createServer((request, response) => {
    heads.push(request.rawHeaders.join('\n'))
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      response.end(request.url?.startsWith('/engine') ? JSON.stringify(begun) : 'taken')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  server = await startServer({
    args: [...serveArgs(data), '--egress-allow=127.0.0.1'],
    env,
    timeout: startMs,
  })
  token = await administratorToken(server.url)
}, startMs)

afterAll(async () => {
  await server.stop()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await watch.send(`${method} ${path}`, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

const canary = (name: string) => watch.plant(name, `canary-${randomBytes(16).toString('hex')}`)
const signing = (name: string) => watch.plant(name, `whsec_${randomBytes(32).toString('base64')}`)

const templates: readonly (string | null)[] = [
  null,
  '{"a":"{{webhook.secret}}","b":"{{webhook.headers}}","c":"{{webhook.headers.0.value}}","d":"{{webhook}} {{webhook.sealedSecret}}"}',
  'no JSON: {{webhook.secret}}',
]

/** The URL of the receiver. */
function receiverUrl(): string {
  // A server that listens on a port has an AddressInfo.
  const { port } = receiver.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

async function registerWebhooks(): Promise<string[]> {
  const ids: string[] = []
  for (const [index, template] of templates.entries()) {
    const { id } = await send<{ id: string }>('POST', '/api/admin/webhooks', {
      repositoryId: 'magazine',
      name: `Hook ${index}`,
      url: `${receiverUrl()}/${index}`,
      events: ['ITEM_CREATED'],
      payloadSize: template === null ? 'full' : 'custom',
      template,
      secret: signing(`the secret of webhook ${index}`),
      headers: [{ name: 'authorization', value: `Bearer ${canary(`the header of webhook ${index}`)}` }],
    })
    await send('PATCH', `/api/admin/webhooks/${id}`, {
      secret: signing(`the second secret of webhook ${index}`),
    })
    ids.push(id)
  }
  return ids
}

async function storeAccess(): Promise<void> {
  const path = '/api/admin/access/generatekey'
  const baseUrl = 'https://upstream.example.com/'
  await send('POST', path, { name: 'Model', type: 'openai', baseUrl, apiKey: canary('an API key') })
  await send('POST', path, {
    name: 'Archive',
    type: 's3',
    baseUrl,
    accessKeyId: canary('an id of a key'),
    secretAccessKey: canary('a key of a store'),
    deep: { clientSecret: canary('a secret below') },
  })
  const auth = { kind: 'basic', username: 'quire', password: canary('a password') }
  await send('POST', path, { name: 'Engine', type: 'http', baseUrl, auth })
}

/** How Quire authenticates at an engine. */
const ways = ['bearer', 'basic', 'api_key'] as const

function authBy(way: (typeof ways)[number], name: string): object {
  const secret = canary(`the ${name} of the engine by ${way}`)
  if (way === 'bearer') return { kind: way, token: secret }
  return way === 'basic' ? { kind: way, username: 'quire', password: secret } : { kind: way, key: secret }
}

/**
 * Creates connections and replaces all their secrets once, starts a review on each, and sends
 * callbacks with right and wrong keys.
 */
async function review(way: (typeof ways)[number]): Promise<string[]> {
  const path = '/api/admin/workflow/connections'
  const callback = () => ({
    apiKey: canary(`a callback key by ${way}`),
    signingSecret: canary(`a signing secret by ${way}`),
  })
  const first = { name: way, baseUrl: receiverUrl(), callbackBaseUrl: server.url, timeoutMs: 5000 }
  const { id } = await send<{ id: string }>('POST', path, {
    ...first,
    auth: authBy(way, 'first secret'),
    callback: callback(),
  })
  const stored = callback()
  await send('PATCH', `${path}/${id}`, { auth: authBy(way, 'secret'), callback: stored })
  await send('POST', `${path}/${id}/test`)
  const definition = { name: way, connectionId: id, initialTriggerUrl: '/engine/start' }
  const { id: workflowId } = await send<{ id: string }>('POST', '/api/admin/workflow/definitions', definition)
  await send('POST', '/api/content/management/packages/magazine', { name: way })
  const on = { repositoryId: 'magazine', packageName: way }
  await send('POST', '/api/workflow/events', { event: 'start', ...on, workflowId })
  await send('POST', '/api/workflow/events', { event: 'approve', ...on })
  const reported = JSON.stringify({
    ...on,
    workflowInstanceId: 'one',
    currentStep: 'legal',
    status: 'active',
  })
  for (const apiKey of [stored.apiKey, stored.signingSecret, `${stored.apiKey}x`]) {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
    await watch.send('a callback', '/api/workflow/status', { method: 'POST', headers, body: reported })
  }
  return [`${path}/${id}`, `/api/workflow/magazine/${way}`, `/api/admin/workflow/definitions/${workflowId}`]
}

async function reviews(): Promise<string[]> {
  const settings = { workflow: { enabled: true } }
  await send('PATCH', '/api/admin/repositories/magazine', { settings })
  const paths = ['/api/admin/workflow/connections', '/api/workflow/magazine']
  for (const way of ways) paths.push(...(await review(way)))
  return paths
}

describe('secrets of webhooks and upstreams', () => {
  it(
    'are in no answer, delivery body, log or file, even after a kill',
    async () => {
      await send('POST', '/api/admin/repositories', { name: 'magazine' })
      await send('POST', '/api/content/management/types', { name: 'note' })
      const ids = await registerWebhooks()
      await storeAccess()
      await send('POST', '/api/items', { repositoryId: 'magazine', type: 'note', name: 'Told' })
      while (bodies.length < templates.length) await wait(20)
      const paths = [
        '/api/admin/webhooks',
        ...ids.flatMap((id) => [`/api/admin/webhooks/${id}`, `/api/admin/webhooks/${id}/deliveries`]),
        ...(await reviews()),
        '/api/admin/access',
        '/api/queue',
        '/api/activity/magazine',
        '/api/security/audit',
        '/api/admin/settings',
        '/api/admin/health',
      ]
      for (const path of paths) await send('GET', path)
      expect(watch.reported()).toEqual([])
      expect(watch.within('a body', bodies.join('\n'))).toEqual([])
      expect(watch.stored(data)).toEqual([])
      await server.kill()
      expect(watch.within('the log', server.lines.join('\n'))).toEqual([])
      expect(watch.stored(data)).toEqual([])
      server = await startServer({ args: serveArgs(data), env, timeout: startMs })
      expect(watch.stored(data)).toEqual([])
    },
    startMs,
  )

  it('would be found: headers are sent as configured', () => {
    const given = watch.canaries.filter(({ name }) => name.startsWith('the header of'))
    expect(given).toHaveLength(templates.length)
    for (const { text } of given) expect(heads.join('\n')).toContain(text)
    const ofEngines = watch.canaries.filter(({ name }) => name.startsWith('the secret of the engine'))
    expect(ofEngines).toHaveLength(ways.length)
    const sent = (text: string) => [text, Buffer.from(`quire:${text}`).toString('base64')]
    for (const { text } of ofEngines)
      expect(sent(text).some((one) => heads.join('\n').includes(one))).toBe(true)
    // Only the right key was accepted, once per connection.
    const callbacks = watch.received.filter(({ request }) => request === 'a callback')
    expect(callbacks.map(({ text }) => text.slice(0, 3))).toEqual(ways.flatMap(() => ['200', '401', '401']))
    expect(bodies.join('\n')).toContain('Told')
  })
})
