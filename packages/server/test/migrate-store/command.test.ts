import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgresStore } from '@quire/store-postgres'
import { openPostgresCopy } from '@quire/store-postgres/copy'
import { openSqliteStore } from '@quire/store-sqlite'
import { openSqliteRows } from '@quire/store-sqlite/rows'
import { describe, expect, it } from 'vitest'
import { asAdministrator, location, testDatabase } from '../../../../test/services/postgres.ts'
import { fingerprintOf } from '../../src/migrate-store/source-fingerprint.ts'
import { openQuire } from '../../src/open-quire.ts'
import { aFolder, inFolder, killedAt, quire, serveFolder } from '../cli.ts'
import { aTarget, aUsedFolder } from './fixture.ts'

type Target = ReturnType<typeof aTarget>

const into = ({ url, schema }: Target, data: string) => {
  const to = ['--database', url, '--database-schema', schema]
  return ['migrate-store', '--data', data, ...to]
}

describe.skipIf(testDatabase === null)(`quire migrate-store ${location}`, () => {
  it(
    'can be killed anywhere and resumes on the next call, with each row copied once',
    { timeout: 180_000 },
    async () => {
      const { data, history } = await aUsedFolder(40)
      await history.engine.quire.close()
      await enlarge(data)
      const target = aTarget()
      const locations = ['heads', 'ephemera', 'texts', 'search_documents', 'comparing', 'creating indexes']
      let before = -1
      for (const at of locations) {
        const killed = await killedAt(at, into(target, data))
        expect([at, killed.code, killed.stderr]).toEqual([at, null, ''])
        const [first = -1] = rowsPrinted(killed.stdout)
        expect(first).toBeGreaterThanOrEqual(before)
        before = first
        await expect(openPostgresStore(target)).rejects.toMatchObject({ reason: 'unfinished' })
      }
      expect(before).toBeGreaterThan(20_000)
      const whole = await quire(into(target, data))
      expect([whole.code, whole.stderr]).toEqual([0, ''])
      expect(whole.stdout).toContain('are the same in source and copy')
      const again = await quire(into(target, data))
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('copy was already completed')])
      const verified = await quire([...into(target, data), '--verify'])
      expect([verified.code, verified.stdout]).toEqual([
        0,
        expect.stringContaining('are the same in source and copy'),
      ])
    },
  )

  it('prints how to serve the copy: with the key, without a password', { timeout: 60_000 }, async () => {
    const data = aFolder()
    const sealed = await inFolder(data, async ({ secrets }, api) => {
      await api.repositories.create({ name: 'magazine' })
      return secrets.seal('kept', 'test')
    })
    const target = aTarget()
    const url = new URL(target.url)
    url.password = 'not-to-be-seen'
    const done = await quire(into({ ...target, url: url.href }, data))
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain(`--key ${join(data, 'server.key')}`)
    expect(done.stdout).not.toContain('not-to-be-seen')

    const elsewhere = { data: aFolder(), baseUrl: 'http://127.0.0.1:3000', database: target }
    await expect(openQuire(elsewhere)).rejects.toThrow(/is missing: restore it/)
    const opened = await openQuire({ ...elsewhere, key: join(data, 'server.key') })
    expect(await opened.secrets.open(sealed, 'test')).toBe('kept')
    await opened.quire.close()
  })

  it(
    'refuses a folder that is being served, and a copy that was served already',
    { timeout: 60_000 },
    async () => {
      const data = aFolder()
      await inFolder(data, async () => undefined)
      const target = aTarget()
      const served = await serveFolder(data)
      const used = await quire(into(target, data))
      expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('stop it first')])
      await served.stop()
      expect(await schemas(target)).toBe(0)

      await begin(target, data)
      await inFolder(data, (_, api) => api.repositories.create({ name: 'more' }))
      const changed = await quire(into(target, data))
      expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('before it changed')])
    },
  )

  it('reports what is missing before it changes anything', { timeout: 60_000 }, async () => {
    const data = aFolder()
    await inFolder(data, async () => undefined)
    const target = aTarget()
    const nowhere = await quire(['migrate-store', '--data', data])
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('--database')])
    const wrong = await quire(into({ ...target, url: 'postgresql://x:not-to-be-seen@127.0.0.1:1/x' }, data))
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('does not answer')])
    expect(wrong.stderr).not.toContain('not-to-be-seen')
    const empty = await quire(into(target, aFolder()))
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('There is no database')])
    const unverified = await quire([...into(target, data), '--verify'])
    expect([unverified.code, unverified.stderr]).toEqual([1, expect.stringContaining('no finished copy')])
    const keyless = join(aFolder(), 'data')
    cpSync(data, keyless, { recursive: true })
    rmSync(join(keyless, 'server.key'))
    const locked = await quire(into(target, keyless))
    expect([locked.code, locked.stderr]).toEqual([1, expect.stringContaining('server.key is missing')])
    expect(await schemas(target)).toBe(0)
  })
})

/** A copy that has only just started. */
async function begin(target: Target, data: string): Promise<void> {
  const rows = openSqliteRows(join(data, 'quire.db'))
  const copy = await openPostgresCopy({ ...target, source: fingerprintOf(rows) })
  await copy.close()
  rows.close()
}

/** Enough data for the copy to take a while in some tables. */
async function enlarge(data: string): Promise<void> {
  const store = await openSqliteStore({ file: join(data, 'quire.db') })
  await store.transaction(async (tx) => {
    for (let n = 0; n < 30_000; n += 1) await tx.ephemera.put(`more:${n}`, `${n}`, 2 ** 50)
    for (let n = 0; n < 1_000; n += 1)
      await tx.texts.put(n.toString(16).padStart(64, '0'), `${n} `.repeat(2_000))
  })
  await store.close()
}

/** The number of copied rows at each printed line. */
function rowsPrinted(stdout: string): number[] {
  return [...stdout.matchAll(/^copying rows: (\d+) of/gm)].map(([, rows]) => Number(rows))
}

async function schemas({ schema }: Target): Promise<number> {
  return asAdministrator(async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    return rowCount ?? 0
  })
}
