import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrator, administratorEnv } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { CanaryWatch, filesBelow } from './canary-watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-canaries-'))
const data = join(folder, 'data')
const env = { ...administratorEnv, QUIRE_LOG: 'debug' }
const startMs = 60_000

let server: ServerProcess
const watch = new CanaryWatch(() => server.url)
const log: string[] = []
let admin = ''

beforeAll(async () => {
  server = await startServer({ args: serveArgs(data), env, timeout: startMs })
  watch.plant('the administrator’s secret', administrator.secret)
  admin = await tokenOf('the administrator’s token', administrator)
}, startMs)

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Credentials = Readonly<Record<'id' | 'secret', string>>

const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const jsonType = { 'content-type': 'application/json' }

function tokenForm({ id, secret }: Credentials): RequestInit {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return { method: 'POST', headers: formType, body: new URLSearchParams(form).toString() }
}

async function tokenOf(name: string, credentials: Credentials): Promise<string> {
  const response = await watch.send(name, '/oauth2/token', tokenForm(credentials))
  const { access_token: token } = (await response.json()) as { access_token: string }
  return watch.plant(name, token)
}

async function asAdmin<T>(
  request: string,
  path: string,
  {
    method = 'POST',
    body,
    headers,
  }: { method?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<T> {
  const response = await watch.send(request, path, {
    method,
    headers: { authorization: `Bearer ${admin}`, ...jsonType, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${request} was answered with ${response.status}: ${await response.text()}`)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/**
 * Creates a service account with two secrets, and gets a token with each: by form and by HTTP
 * Basic.
 */
async function useAccount(number: number): Promise<{ credentials: Credentials; token: string }> {
  const first = `secret ${number} of an account`
  const accounts = '/api/security/serviceAccounts'
  const headers = { 'idempotency-key': `account-${number}` }
  const body = { name: `Account ${number}` }
  const account = await asAdmin<Credentials>(first, accounts, { body, headers })
  watch.plant(first, account.secret)
  const token = await tokenOf(`token ${number} by a form`, account)
  const second = `added secret ${number} of an account`
  const added = await asAdmin<Credentials>(second, `${accounts}/${account.id}/secrets`)
  watch.plant(second, added.secret)
  const pair = watch.plant(`pair ${number} for Basic`, `${account.id}:${added.secret}`)
  const byBasic = `token ${number} by Basic`
  const response = await watch.send(byBasic, '/oauth2/token', {
    method: 'POST',
    headers: { ...formType, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: 'grant_type=client_credentials',
  })
  watch.plant(byBasic, ((await response.json()) as { access_token: string }).access_token)
  return { credentials: account, token }
}

/** Creates a user who signs in with a link, uses it twice, and leaves another link unused. */
async function useUser(number: number): Promise<string> {
  const id = `user${number}@example.org`
  await asAdmin('a user', '/api/security/users', { body: { id, name: id } })
  const ticketOf = async (name: string) => {
    const { url } = await asAdmin<{ url: string }>(name, `/api/security/users/${id}/sign-in-link`)
    return watch.plant(name, new URL(url).searchParams.get('ticket') ?? '')
  }
  const ticket = await ticketOf(`ticket ${number}`)
  await ticketOf(`ticket ${number} that nobody uses`)
  const session = `session ${number} by a link`
  const signedIn = await watch.send(session, `/api/user/login?ticket=${ticket}&returnTo=/welcome`)
  await watch.send('a used ticket', `/api/user/login?ticket=${ticket}`, { headers: { accept: 'text/html' } })
  return watch.plant(session, cookieOf(signedIn))
}

function cookieOf(response: Response): string {
  return /token=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
}

async function useSession(number: number, bearer: string): Promise<void> {
  const name = `session ${number} by a token`
  const headers = { authorization: `Bearer ${bearer}` }
  const opened = await watch.send(name, '/api/user/session', { method: 'POST', headers })
  const cookie = watch.plant(name, cookieOf(opened))
  await watch.send('my permissions', '/api/security/me/permissions', {
    headers: { cookie: `token=${cookie}` },
  })
  const own = { cookie: `token=${cookie}`, 'sec-fetch-site': 'same-origin' }
  await watch.send('a closed session', '/api/user/session', { method: 'DELETE', headers: own })
  await watch.send('after it', '/api/security/me/permissions', { headers: { cookie: `token=${cookie}` } })
}

/** Sends a secret where no secret belongs. */
async function misplace(secret: string, { id }: Credentials): Promise<void> {
  const authorization = `Bearer ${admin}`
  const body = JSON.stringify({ client_secret: secret, password: secret, token: secret })
  const scopes: readonly (readonly [string, RequestInit?])[] = [
    [`/api/security/me/permissions?access_token=${secret}`],
    [`/api/security/me/permissions?token=${secret}`, { headers: { authorization } }],
    [`/oauth2/token?client_secret=${secret}&client_id=${id}`, tokenForm({ id, secret: 'wrong' })],
    ['/oauth2/token', { method: 'POST', headers: jsonType, body }],
    ['/oauth2/token', { ...tokenForm({ id, secret }), headers: { 'content-type': 'text/plain' } }],
    ['/oauth2/token', tokenForm({ id, secret: `${secret}x` })],
    ['/oauth2/token', tokenForm({ id: secret, secret: id })],
    ['/oauth2/token', tokenForm({ id, secret: ` ${secret}` })],
    [
      '/oauth2/token',
      { method: 'POST', headers: formType, body: `client_secret=${secret}&password=${secret}` },
    ],
    ['/api/security/me/permissions', { headers: { authorization: `Bearer ${secret}` } }],
    ['/api/security/me/permissions', { headers: { authorization: `Basic ${secret}` } }],
    ['/api/security/me/permissions', { headers: { authorization: secret } }],
    ['/api/security/me/permissions', { headers: { 'x-api-key': secret, cookie: `token=${secret}` } }],
    ['/api/user/login?returnTo=https://evil.example/', { headers: { cookie: `login=${secret}` } }],
    [`/api/user/login?ticket=${secret}`],
    [`/api/user/login/callback?state=${secret}&code=${secret}`],
    ['/api/items', { method: 'POST', headers: { authorization, ...jsonType }, body }],
    ['/api/items', { method: 'POST', headers: { authorization, ...jsonType }, body: `${body}x` }],
    ['/api/security/serviceAccounts', { method: 'POST', headers: { authorization, ...jsonType }, body }],
    [`/livez?secret=${secret}`],
    [`/nowhere?secret=${secret}`, { headers: { authorization } }],
    [`/api/%zz?secret=${secret}`, { headers: { authorization } }],
  ]
  for (const [path, init] of scopes) {
    const response = await watch.send(`a misplaced secret at ${path.split('?')[0]}`, path, init)
    expect(response.status).toBeLessThan(500)
  }
}

/** Sends bytes that are not a request and contain a secret. */
function talk(text: string): Promise<void> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(text))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('error', () => resolve())
    socket.on('close', () => {
      watch.received.push({ request: 'bytes that are not a request', text: answer })
      resolve()
    })
  })
}

async function readAll(): Promise<void> {
  const paths = ['users', 'roles', 'groups', 'bundles', 'serviceAccounts', 'audit', 'me/permissions']
  for (const path of paths) await asAdmin(path, `/api/security/${path}`, { method: 'GET' })
  for (const path of [
    '/oauth2/jwks',
    '/.well-known/oauth-authorization-server',
    '/api-docs',
    '/api-docs/openapi.json',
  ])
    await watch.send(path, path)
}

describe('secrets that were used, rejected and misplaced', () => {
  it(
    'appear only in the answer that issued them, and in no log or file',
    async () => {
      for (const number of [1, 2, 3]) {
        const { credentials, token } = await useAccount(number)
        await useSession(number, token)
        const session = await useUser(number)
        for (const secret of [credentials.secret, token, session]) await misplace(secret, credentials)
        await talk(`GET / HTTP/1.1\r\nauthorization: Bearer ${token}\r\nbad header\r\n\r\n`)
        await talk(`${token} / HTTP/1.1\r\n\r\n`)
      }
      await readAll()
      expect(watch.canaries.length).toBeGreaterThanOrEqual(20)
      expect(watch.canaries.filter(({ text }) => text.length < 20)).toEqual([])
      expect(watch.stored(data)).toEqual([])
      await server.kill()
      log.push(...server.lines)
      expect(watch.stored(data)).toEqual([])
      server = await startServer({ args: serveArgs(data), env, timeout: startMs })
      // On another port, the service is another issuer.
      admin = await tokenOf('the administrator’s second token', administrator)
      await readAll()
      log.push(...server.lines)
      expect(watch.reported()).toEqual([])
      expect(watch.within('the log', log.join('\n'))).toEqual([])
      expect(watch.stored(data)).toEqual([])
      expect(log.filter((line) => line.includes('"request"')).length).toBeGreaterThan(150)
    },
    startMs,
  )

  it('would be found: each is in the answer that issued it, and stored texts are found in files', () => {
    const made = watch.canaries.filter(({ name, text }) =>
      watch.received.some(({ request, text: answer }) => request === name && answer.includes(text)),
    )
    // All except the secrets from the environment and the pairs that were composed here.
    expect(made.length).toBe(watch.canaries.length - 4)
    const found = new CanaryWatch(() => '')
    found.plant('an address', 'user1@example.org')
    expect(found.stored(data).some((hit) => hit.includes('quire.db'))).toBe(true)
    expect(found.within('the log', log.join('\n'))).toHaveLength(1)
  })

  it('do not include the server’s own key, which is only in its file', () => {
    const key = readFileSync(join(data, 'server.key'))
    const spellings = [key, key.toString('hex'), key.toString('base64'), key.toString('base64url')]
    const holders = filesBelow(data).filter((file) =>
      spellings.some((text) => readFileSync(file).includes(text)),
    )
    expect(holders).toEqual([join(data, 'server.key')])
    expect(spellings.slice(1).some((text) => log.join('\n').includes(String(text)))).toBe(false)
  })
})
