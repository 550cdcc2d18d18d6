import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { serveArgs } from '../server/server-process.ts'
import { checkApi, checkCounts } from './check-api.ts'
import { prepare, serveReady } from './cycle.ts'
import { noDamage } from './damage.ts'
import { countNotes } from './database.ts'
import { openLedger } from './ledger.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-kill-api-'))
const file = join(folder, 'data', 'quire.db')
const serve = () => serveReady([...serveArgs(join(folder, 'data')), '--log', 'error'])
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reports an item that a search no longer finds', { timeout: 60_000 }, async () => {
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  const sound = await serve()
  await prepare(sound, ledger)
  const acknowledged = [...ledger.acknowledged.values()]
  expect(await checkApi(sound, ledger, acknowledged)).toEqual(noDamage)
  expect(await checkCounts(sound, countNotes(file))).toEqual(noDamage)
  await sound.server.kill()
  const database = new DatabaseSync(file)
  database.exec(`DELETE FROM search WHERE rowid IN (SELECT row FROM search_documents WHERE kind = 'item')`)
  database.close()
  const damaged = await serve()
  expect((await checkApi(damaged, ledger, acknowledged)).torn).toEqual([
    expect.stringContaining('a search finds nothing'),
  ])
  expect((await checkCounts(damaged, countNotes(file))).torn).toEqual([
    'the file holds 1 items, a list 1, a search 0',
  ])
  await damaged.server.kill()
})
