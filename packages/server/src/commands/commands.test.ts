import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { aFolder, inFolder, quire, serveFolder, tokenFor } from '../../test/cli.ts'
import { ensureAdmin } from '../admin/admin-account.ts'

interface Findings {
  readonly ok: boolean
  readonly checks: readonly { name: string; outcome: string; message: string }[]
}

async function findingsOf(data: string): Promise<{ code: number | null; findings: Findings }> {
  const { code, stdout } = await quire(['doctor', '--json', '--data', data])
  return { code, findings: JSON.parse(stdout) }
}

describe('quire doctor', () => {
  it('finds no fault in a sound folder, served or not', { timeout: 90_000 }, async () => {
    const data = aFolder()
    const served = await serveFolder(data, { QUIRE_DEMO: '1' })
    await expect.poll(() => served.texts().stdout, { timeout: 60_000 }).toContain('demo.loaded')
    const whileServed = await findingsOf(data)
    expect([
      whileServed.code,
      whileServed.findings.checks.filter(({ outcome }) => outcome === 'fault'),
    ]).toEqual([0, []])
    await served.stop()
    const { code, stdout } = await quire(['doctor', '--data', data])
    expect(code).toBe(0)
    expect(stdout).toMatch(/ok +integrity/)
    expect(stdout).toMatch(/ok +settings +.*synchronous=2/)
    expect(stdout).not.toContain('fault')
  })

  it('reports faults and exits with 1', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      await api.repositories.create({ name: 'notes' })
      await api.types.create({ name: 'note', fields: [] })
      const { id } = await api.items.create({ repositoryId: 'notes', type: 'note', name: 'One' })
      await api.items.update({ configId: 'notes', id, name: 'Two' })
    })
    const database = new DatabaseSync(join(data, 'quire.db'))
    database.exec('DELETE FROM versions WHERE version = 1; DELETE FROM search')
    database.close()
    chmodSync(join(data, 'server.key'), 0o640)
    const { code, findings } = await findingsOf(data)
    const faults = findings.checks.filter(({ outcome }) => outcome === 'fault').map(({ name }) => name)
    expect([code, findings.ok, faults]).toEqual([1, false, ['server key', 'versions', 'search']])
  })

  it.each([
    ["UPDATE large_values SET value = replace(value, 'x', 'y')"],
    ['DELETE FROM large_values'],
    ["INSERT INTO large_values VALUES ('00', 'left over')"],
  ])('finds large values that are not those of items: %s', async (change) => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      await api.repositories.create({ name: 'notes' })
      await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
      const fields = { text: 'x'.repeat(10_000) }
      await api.items.create({ repositoryId: 'notes', type: 'note', name: 'One', fields })
    })
    expect((await findingsOf(data)).findings.ok).toBe(true)
    const database = new DatabaseSync(join(data, 'quire.db'))
    database.exec(change)
    database.close()
    const { findings } = await findingsOf(data)
    expect(findings.checks.filter(({ outcome }) => outcome === 'fault')).toMatchObject([{ name: 'values' }])
  })

  it('finds damage', async () => {
    const data = aFolder()
    await inFolder(data, (_, api) => api.repositories.create({ name: 'notes' }))
    const { openSync, writeSync, closeSync } = await import('node:fs')
    const file = openSync(join(data, 'quire.db'), 'r+')
    writeSync(file, Buffer.alloc(8192, 0xab), 0, 8192, 8192)
    closeSync(file)
    const { code, findings } = await findingsOf(data)
    expect([code, findings.ok]).toEqual([1, false])
  })

  it('reports a folder without a database in one line', async () => {
    const { code, stderr } = await quire(['doctor', '--data', aFolder()])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^quire: There is no database in [^\n]+\n$/)])
  })
})

describe('quire token', () => {
  it('prints a token of the account in the data folder, and nothing else', async () => {
    const data = aFolder()
    const { url } = await serveFolder(data)
    const { stdout } = await quire(['token', '--url', url, '--data', data])
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    expect((await fetch(`${url}/api/items/none`, { headers })).status).toBe(404)
    const wrong = ['--client-id', 'SVCA_1', '--client-secret', 'wrong']
    const refused = await quire(['token', '--url', url, '--data', data, ...wrong])
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^quire: invalid_client: .* has no service account SVCA_1 .*--client-id and --client-secret/,
      ),
    ])
    const none = await quire(['token', '--url', url, '--data', aFolder()])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--client-id and --client-secret')])
  })
})

describe('quire --version', () => {
  it('prints the version', async () => {
    expect(await quire(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })
})

describe('quire service-account create', () => {
  it('prints id and secret once, and they work', async () => {
    const data = aFolder()
    await inFolder(data, async () => undefined)
    const created = await quire([
      'service-account',
      'create',
      '--name',
      'Website',
      '--bundle',
      'bundle.viewer',
      '--data',
      data,
    ])
    const account = JSON.parse(created.stdout) as { clientId: string; clientSecret: string }
    expect(created.code).toBe(0)
    const served = await serveFolder(data)
    const token = await tokenFor(served.url, account)
    const headers = { authorization: `Bearer ${token}` }
    const me = await fetch(`${served.url}/api/security/me/permissions`, { headers })
    expect(await me.json()).toMatchObject({
      identity: { id: account.clientId },
      global: expect.arrayContaining(['items.read']),
    })
    expect((await fetch(`${served.url}/api/security/roles`, { headers })).status).toBe(403)
  })

  it('limits the account to packages with --branch-only', async () => {
    const data = aFolder()
    await inFolder(data, async () => undefined)
    const args = ['--name', 'Agent', '--bundle', 'bundle.contributor', '--branch-only', '--data', data]
    const { stdout } = await quire(['service-account', 'create', ...args])
    const { clientId: id } = JSON.parse(stdout) as { clientId: string }
    const account = await inFolder(data, (_, api) => api.serviceAccounts.get({ id }))
    expect(account.branchOnly).toBe(true)
  })

  it('accepts roles by name, and rejects unknown ones', async () => {
    const data = aFolder()
    await inFolder(data, (opened) => ensureAdmin(opened, undefined))
    const create = (...args: string[]) =>
      quire(['service-account', 'create', '--name', 'X', '--data', data, ...args])
    expect((await create('--role', 'Administrators')).code).toBe(0)
    expect(await create('--role', 'Nobodies')).toMatchObject({
      code: 1,
      stderr: 'quire: There is no role "Nobodies".\n',
    })
    expect((await create()).code).toBe(2)
    expect((await create('--bundle', 'bundle.nothing')).code).toBe(1)
  })
})

describe('quire openapi', () => {
  it('prints the document', async () => {
    const { code, stdout } = await quire(['openapi', '--base-url', 'https://content.example.org/'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://content.example.org' }],
    })
  })
})
