import { randomBytes } from 'node:crypto'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'
import { aFolder, quire, serveFolder, type ServedFolder } from './cli.ts'

const account = { clientId: 'admin', clientSecret: 'a-secret-of-tests' }

/**
 * Each server knows within this time what another one changed, with a margin for a busy machine.
 */
const received = { timeout: 5_000, interval: 50 }

/** A database of its own, as environment variables. */
function aDatabase(): { QUIRE_DATABASE: string; QUIRE_DATABASE_SCHEMA: string } {
  const schema = testSchema()
  onTestFinished(() => dropSchema(schema))
  return { QUIRE_DATABASE: databaseUrl(), QUIRE_DATABASE_SCHEMA: schema }
}

const administrator = {
  QUIRE_ADMIN_CLIENT_ID: account.clientId,
  QUIRE_ADMIN_CLIENT_SECRET: account.clientSecret,
}

const clientOf = ({ url }: ServedFolder, auth = account): Client => createClient({ baseUrl: url, auth })

const createAccount = ['service-account', 'create', '--name', 'x', '--bundle', 'bundle.viewer', '--data']

/** A database, and a folder with its key. */
async function aLastingDatabase() {
  const env = aDatabase()
  const folder = aFolder()
  expect(await quire(['worker', '--once', '--data', folder], env)).toMatchObject({ code: 0 })
  return { env, folder }
}

/** Two servers on one database, with one key, that start at the same time. */
async function twoServers() {
  const { env, folder } = await aLastingDatabase()
  const second = aFolder()
  cpSync(join(folder, 'server.key'), join(second, 'server.key'))
  const both = { ...env, ...administrator }
  const servers = await Promise.all([serveFolder(folder, both), serveFolder(second, both)])
  return { env, folder, servers }
}

describe.skipIf(testDatabase === null)(`commands on PostgreSQL ${location}`, { timeout: 90_000 }, () => {
  it('that need an installation create none', async () => {
    const { env, folder } = await aLastingDatabase()
    const { code, stderr } = await quire(
      [...createAccount, folder, '--database-schema', 'quire_mistyped'],
      env,
    )
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds no installation'),
    })
    const doctor = ['doctor', '--security', '--data', folder, '--database-schema', 'quire_mistyped']
    expect((await quire(doctor, env)).code).toBe(1)
    const there = await asAdministrator((client) =>
      client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'quire_mistyped'"),
    )
    expect(there.rows).toEqual([])
    expect((await quire([...createAccount, folder], env)).stderr).toBe('')
  })

  it('serve one database from several servers, which know the changes of each other', async () => {
    const { env, folder, servers } = await twoServers()
    const [one, other] = servers.map((server) => clientOf(server)) as [Client, Client]
    const { id: repositoryId } = await one.repositories.create({ name: 'magazine' })
    const type = await one.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
    const article = { repositoryId, type: 'article' }
    const item = await one.items.create({ ...article, name: 'First', fields: { title: 'T' } })
    expect(await other.items.get({ configId: 'magazine', id: item.id })).toMatchObject({ name: 'First' })
    const withMore = () => one.items.create({ ...article, name: 'Second', fields: { more: 'M' } })
    await expect(withMore()).rejects.toMatchObject({ code: 'invalid' })
    await other.types.update({ id: type.id, fields: [...type.fields, { name: 'more', kind: 'text' }] })
    await vi.waitFor(withMore, received)

    // A key that one server creates is known to the other, and earlier signatures and secrets
    // remain valid.
    await one.security.rotateKeys({ of: 'secrets' })
    const { id, secret } = await one.serviceAccounts.create({ name: 'Made under the new key' })
    await vi.waitFor(
      () => clientOf(servers[1], { clientId: id, clientSecret: secret ?? '' }).user.me(),
      received,
    )
    expect(await other.items.list({ configId: 'magazine' })).toMatchObject({ count: 2 })

    const examined = await quire(['doctor', '--data', folder, '--json'], env)
    expect(JSON.parse(examined.stdout)).toMatchObject({ ok: true })
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0])
    expect(servers.map(({ texts }) => texts().stderr)).toEqual(['', ''])
    const worked = await quire(['worker', '--once', '--data', folder], env)
    expect(worked.stdout).toContain('{"event":"working"}')
    expect(worked.code).toBe(0)
  })

  it('refuse a key that does not belong to the database, and a missing one', async () => {
    const { env, folder } = await aLastingDatabase()
    const [key, stored] = [join(folder, 'server.key'), join(folder, 'kept.key')]
    cpSync(key, stored)
    rmSync(key)
    const gone = await quire([...createAccount, folder], env)
    expect(gone.stderr).toMatch(/^quire: .*server\.key is missing: restore it/)
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    const foreign = await quire([...createAccount, folder], env)
    expect(foreign.stderr).toMatch(/^quire: The server key does not belong to this database/)
    const examined = await quire(['doctor', '--data', folder], env)
    expect(examined.stdout).toMatch(/^fault +shared keys/m)
    expect(examined.code).toBe(1)
    const named = await quire(['doctor', '--data', folder, '--key', stored], env)
    expect(named.stdout).toMatch(/^ok +shared keys/m)
  })

  it('report what is wrong with an address, and never its password', async () => {
    const data = aFolder()
    const refusals = [
      [{ QUIRE_DATABASE: 'mysql://a:hidden@127.0.0.1/x' }, 2, /must look like postgresql:\/\/user/],
      [{ QUIRE_DATABASE: 'postgresql://a:hidden@127.0.0.1:1/x' }, 1, /does not answer: start it/],
      [{ QUIRE_DATABASE_SCHEMA: 'x' }, 2, /need --database/],
      [{ QUIRE_S3_ENDPOINT: 'http://127.0.0.1:1' }, 2, /need --blobs/],
      [{ QUIRE_REDIRECT_DOWNLOADS: '1' }, 2, /needs --blobs/],
      [{ QUIRE_BLOBS: 'bucket' }, 2, /s3:\/\/bucket/],
    ] as const
    for (const [env, code, message] of refusals) {
      const refused = await quire(['serve', '--port', '0', '--data', data], env)
      expect(refused.code).toBe(code)
      expect(refused.stderr).toMatch(message)
      expect(refused.stderr).not.toContain('hidden')
    }
  })

  it('do not change a foreign database', async () => {
    const env = aDatabase()
    const schema = env.QUIRE_DATABASE_SCHEMA
    await asAdministrator((client) =>
      client.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.mine (id int)`),
    )
    const refused = await quire(['serve', '--port', '0', '--data', aFolder()], env)
    expect(refused.stderr).toMatch(/holds tables of another program/)
    expect(refused.code).toBe(1)
  })
})
