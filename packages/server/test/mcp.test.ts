import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { serve, type Serving } from './serving.ts'
import { quire } from './cli.ts'
import { quireCommand } from '../../../test/server/quire-command.ts'
import { revisions, use, type Revision } from '../../../test/agents/desk.ts'

let serving: Serving
let account: { clientId: string; secret: string }
let token: string

beforeAll(async () => {
  const authorizationServers = ['https://login.example.org']
  serving = await serve({ mcp: { authorizationServers }, cors: { origins: ['https://trusted.example'] } })
  const { id: roleId } = await serving.api.roles.create({ name: 'Agents', bundles: ['bundle.editor'] })
  const { id, secret } = await serving.api.serviceAccounts.create({
    name: 'Agent',
    roles: [roleId],
    branchOnly: true,
  })
  account = { clientId: id, secret }
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const response = await fetch(`${serving.baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  token = ((await response.json()) as { access_token: string }).access_token
})
afterAll(async () => {
  await serving.app.close()
  await serving.quire.close()
})

const transports = {
  http: () =>
    new StreamableHTTPClientTransport(new URL(`${serving.baseUrl}/api/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  stdio: ({ clientId, secret } = account) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [...quireCommand, 'mcp', '--url', serving.baseUrl],
      env: { QUIRE_CLIENT_ID: clientId, QUIRE_CLIENT_SECRET: secret },
    }),
} as const

const cases = Object.keys(transports).flatMap((name) => revisions.map((revision) => ({ name, revision })))

async function connect(name: string, revision: Revision, as = account): Promise<Client> {
  const mode: NonNullable<ClientOptions['versionNegotiation']>['mode'] =
    revision === '2026-07-28' ? { pin: revision } : 'legacy'
  const client = new Client({ name: 'transport-test', version: '3.1' }, { versionNegotiation: { mode } })
  await client.connect(transports[name === 'stdio' ? 'stdio' : 'http'](as))
  onTestFinished(() => client.close())
  return client
}

describe.each(cases)('$name in the revision $revision', ({ name, revision }) => {
  it('does a task from its beginning to its review', { timeout: 60_000 }, async () => {
    const client = await connect(name, revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'quire' })
    expect(client.getInstructions()).not.toContain('WARNING')
    expect((await client.listTools()).tools).toHaveLength(15)
    const title = `By ${name} ${revision}`
    const drafted = await use(client, 'draft', {
      repository: 'magazine',
      type: 'article',
      name: title,
      fields: { title },
    })
    const packageName = String(drafted.about['packageName'])
    expect(packageName).toMatch(/^agent\/agent\/\d{4}-\d\d-\d\d-\d+$/)
    const { about } = await use(client, 'compare', { repository: 'magazine', packageName })
    expect(about).toMatchObject({
      count: 1,
      content: { changes: [{ kind: 'create', entity: { name: title } }] },
    })
    await use(client, 'request_review', { repository: 'magazine', packageName, summary: 'Please look' })
    const { review, agent } = await serving.api.packages.get({ repo: 'magazine', packageName })
    expect(review).toMatchObject({ state: 'requested' })
    expect(agent).toMatchObject({ id: account.clientId, name: 'Agent' })
    const { items } = await serving.api.activity.list({
      configId: 'magazine',
      event: 'AGENT_CALLED',
    })
    // Without sessions, the older revision does not say which program sends a request.
    const isNamed = name === 'stdio' || revision === '2026-07-28'
    expect(items[0]?.program).toBe(isNamed ? 'transport-test/3.1' : 'node/unknown')
    expect(items.length).toBeGreaterThan(1)
  })

  it('reports progress, and goes on after a call was cancelled', { timeout: 60_000 }, async () => {
    const client = await connect(name, revision)
    const packageName = `progress-${name}-${revision}`
    await use(client, 'draft', { repository: 'magazine', packageName, type: 'article', name: 'A' })
    const args = { repository: 'magazine', packageName, pages: true }
    const steps: unknown[] = []
    await client.callTool({ name: 'compare', arguments: args }, { onprogress: (step) => steps.push(step) })
    // The client drops what arrives together with the answer.
    expect(steps[0]).toMatchObject({ progress: 1, total: 2 })
    const leaving = new AbortController()
    const call = client.callTool({ name: 'compare', arguments: args }, { signal: leaving.signal })
    leaving.abort()
    await expect(call).rejects.toThrow(/abort/i)
    expect(await use(client, 'packages', { repository: 'magazine' })).toMatchObject({ isError: false })
  })
})

describe('the endpoint of the service', () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${serving.baseUrl}/api/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })

  it('tells a client without a token who issues tokens', async () => {
    const response = await post({})
    expect(response.status).toBe(401)
    const address = /resource_metadata="(?<address>[^"]+)"/.exec(
      response.headers.get('www-authenticate') ?? '',
    )
    const path = new URL(address?.groups?.['address'] ?? '').pathname
    const metadata = await (await fetch(`${serving.baseUrl}${path}`)).json()
    expect(metadata).toMatchObject({ authorization_servers: ['https://login.example.org'] })
  })

  it('takes no cookies, and no pages of other origins', async () => {
    expect((await post({ cookie: `token=${token}`, origin: 'http://quire.test' })).status).toBe(401)
    const authorization = `Bearer ${token}`
    expect((await post({ authorization, origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ authorization, origin: 'https://trusted.example' })).status).toBe(200)
  })

  it('answers only POST', async () => {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${serving.baseUrl}/api/mcp`, { headers })).status).toBe(405)
    expect((await fetch(`${serving.baseUrl}/api/mcp`, { method: 'DELETE', headers })).status).toBe(405)
  })

  it('can be switched off', async () => {
    const off = await serve({ mcp: false })
    onTestFinished(async () => {
      await off.app.close()
      await off.quire.close()
    })
    expect((await off.fetch('/api/mcp', { method: 'POST' })).status).toBe(404)
  })
})

describe('quire mcp', () => {
  it('has each call recorded, also of an account that may do everything', { timeout: 60_000 }, async () => {
    const { id: roleId } = await serving.api.roles.create({
      name: 'Chiefs',
      bundles: ['bundle.administrator'],
    })
    const { id, secret } = await serving.api.serviceAccounts.create({ name: 'Chief', roles: [roleId] })
    const client = await connect('stdio', '2026-07-28', { clientId: id, secret })
    expect(client.getInstructions()).toContain('WARNING')
    await use(client, 'packages', { repository: 'magazine' })
    const { items } = await serving.api.activity.list({ configId: 'magazine', event: 'AGENT_CALLED' })
    expect(items[0]).toMatchObject({
      program: 'transport-test/3.1',
      call: { operation: 'packages.list', outcome: 'ok' },
    })
  })

  it('needs the account of the agent', async () => {
    const { code, stderr } = await quire(['mcp', '--url', serving.baseUrl])
    expect([code, stderr]).toEqual([2, expect.stringContaining('QUIRE_CLIENT_ID')])
  })

  it('says that its secret is wrong, and prints nothing else', async () => {
    const env = { QUIRE_CLIENT_ID: account.clientId, QUIRE_CLIENT_SECRET: 'wrong' }
    const { code, stdout, stderr } = await quire(['mcp', '--url', serving.baseUrl], env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/secret|invalid_client/)
  })
})
