import { describe, expect, it } from 'vitest'
import { aFolder, inFolder, quire, serveFolder, tokenFor, type ServedFolder } from '../../test/cli.ts'
import { openBrowser } from '../../test/browser.ts'
import { ensureAdmin } from '../admin/admin-account.ts'

const linkLine = /^(http:\/\/[^\n]+\/api\/user\/login\?ticket=[\w-]{43})\n$/

/** A data folder with administrators that no server uses. */
async function preparedFolder(): Promise<string> {
  const data = aFolder()
  await inFolder(data, (opened) => ensureAdmin(opened, undefined))
  return data
}

function linkOf(stdout: string): string {
  expect(stdout).toMatch(linkLine)
  return stdout.trim()
}

/** Moves a link to a service that listens at another address than the link has. */
function onService({ url }: ServedFolder, link: string): string {
  const { pathname, search } = new URL(link)
  return `${url}${pathname}${search}`
}

describe('quire sign-in', () => {
  it('creates a user with a role, and a link that signs them in once', async () => {
    const data = await preparedFolder()
    const args = ['--create', '--role', 'Administrators', '--data', data]
    const { code, stdout, stderr } = await quire(['sign-in', 'Ada@Example.org', ...args])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^The link signs ada@example\.org in once, until \S+Z\.\n$/),
    ])
    const served = await serveFolder(data)
    const link = onService(served, linkOf(stdout))
    const browser = openBrowser()
    const first = await browser.visit(link)
    expect([first.status, first.headers.get('location')]).toEqual([303, `${served.url}/api-docs`])
    const me = await browser.visit(`${served.url}/api/user/me`)
    expect(await me.json()).toMatchObject({ kind: 'user', id: 'ada@example.org' })
    expect((await browser.visit(`${served.url}/api/security/roles`)).status).toBe(200)
    const other = openBrowser()
    expect((await other.visit(link)).status).toBe(401)
    expect(other.cookie(served.url, 'token')).toBeUndefined()
  })

  it('uses the address where the service will be', async () => {
    const data = await preparedFolder()
    const args = ['sign-in', 'ada@example.org', '--create', '--data', data]
    const there = await quire([...args, '--base-url', 'http://cms.example.org/'])
    expect(linkOf(there.stdout)).toMatch(/^http:\/\/cms\.example\.org\/api\/user\/login\?/)
    const here = await quire(args)
    expect(linkOf(here.stdout)).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/user\/login\?/)
  })

  it('leaves the roles of an existing user unchanged, and says so', async () => {
    const data = await preparedFolder()
    await quire(['sign-in', 'ada@example.org', '--create', '--data', data])
    const args = ['--create', '--role', 'Administrators', '--data', data]
    const { code, stderr } = await quire(['sign-in', 'ADA@example.org', ...args])
    expect([code, stderr]).toEqual([0, expect.stringContaining('already exists and keeps its roles')])
    await inFolder(data, async (_, api) => {
      expect(await api.users.get({ id: 'ada@example.org' })).toMatchObject({ roles: [] })
    })
  })

  it('changes nothing for a user who is missing, invalid or disabled', async () => {
    const data = await preparedFolder()
    const signIn = (...args: string[]) => quire(['sign-in', ...args, '--data', data])
    const failed = (code: number, line: RegExp) => ({ code, stdout: '', stderr: expect.stringMatching(line) })
    const absent = /^quire: There is no user "ada@example\.org": add --create to create it\.\n$/
    expect(await signIn('ada@example.org')).toEqual(failed(1, absent))
    const noRole = /^quire: There is no role "Nobodies"\.\n$/
    expect(await signIn('ada@example.org', '--create', '--role', 'Nobodies')).toEqual(failed(1, noRole))
    expect(await signIn('ada@example.org', '--role', 'Administrators')).toEqual(failed(2, /add --create/))
    expect(await signIn('ada', '--create')).toEqual(failed(1, /e-mail address/))
    await inFolder(data, async (_, api) => {
      expect((await api.users.list()).count).toBe(0)
      await api.users.create({ id: 'ada@example.org', name: 'Ada', enabled: false })
    })
    expect(await signIn('ada@example.org')).toEqual(failed(1, /^quire: The user is disabled/))
  })

  it('works on a running service, whose address it prints', async () => {
    const data = aFolder()
    const account = { clientId: 'tests', clientSecret: 'a-secret-of-the-tests' }
    const served = await serveFolder(data, {
      QUIRE_ADMIN_CLIENT_ID: account.clientId,
      QUIRE_ADMIN_CLIENT_SECRET: account.clientSecret,
    })
    const { clientId, clientSecret } = account
    const args = ['--url', served.url, '--client-id', clientId, '--client-secret', clientSecret]
    const { code, stdout } = await quire(['sign-in', 'ada@example.org', '--create', ...args])
    expect(code).toBe(0)
    const link = linkOf(stdout)
    expect(link.startsWith(`${served.url}/`)).toBe(true)
    expect((await openBrowser().visit(link)).status).toBe(303)
    expect((await openBrowser().visit(link)).status).toBe(401)
    const token = await tokenFor(served.url, account)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${served.url}/api/security/users/ada@example.org`, { headers })).status).toBe(200)
  })
})

describe('quire serve', () => {
  const serveWith = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    quire(['serve', '--port', '0', '--data', aFolder(), ...args], env)

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['an issuer', { QUIRE_OIDC_ISSUER: 'https://id.example.org' }, '--oidc-client-id'],
    ['a client', { QUIRE_OIDC_CLIENT_ID: 'quire' }, '--oidc-issuer'],
    ['a secret', { QUIRE_OIDC_CLIENT_SECRET: 'secret' }, '--oidc-issuer'],
    ['roles for new users', { QUIRE_OIDC_NEW_USERS: 'Readers' }, '--oidc-issuer'],
  ])('exits with 2 when only %s is configured', async (_, env, wanted) => {
    const { code, stderr } = await serveWith(env)
    expect([code, stderr]).toEqual([2, `quire: OpenID Connect sign-in also needs ${wanted}.\n`])
  })

  it('exits with 2 for an issuer that cannot be trusted', async () => {
    const client = ['--oidc-client-id', 'quire']
    const plain = await serveWith({}, '--oidc-issuer', 'http://id.example.org', ...client)
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('https://')])
    expect((await serveWith({}, '--trust-issuer', 'http://id.example.org=cms')).code).toBe(2)
    expect((await serveWith({}, '--trust-issuer', 'https://id.example.org')).code).toBe(2)
    const twice = ['https://id.example.org=a', 'https://id.example.org=b']
    expect((await serveWith({}, '--trust-issuer', ...twice)).stderr).toContain('twice')
  })

  it('starts without its provider, and logs which roles are missing', async () => {
    const served = await serveFolder(aFolder(), {
      // Port 9 accepts no connection.
      QUIRE_OIDC_ISSUER: 'http://127.0.0.1:9',
      QUIRE_OIDC_CLIENT_ID: 'quire',
      QUIRE_OIDC_NEW_USERS: 'Administrators, Readers',
      QUIRE_TRUST_ISSUER: 'https://id.example.org=cms, https://other.example.org/=api://cms',
    })
    expect((await fetch(`${served.url}/api/user/login`)).status).toBe(503)
    const { stdout } = served.texts()
    expect(stdout).toMatch(/"oidc\.roles_missing"/)
    expect(stdout).toMatch(/"roles":\["Readers"\]/)
    expect(await served.stop()).toBe(0)
  })
})
