import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HeavyWorker, createHeavyWorker } from './heavy-worker.ts'

let folder: string
let file: string
let database: Database.Database
const workers: HeavyWorker[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-worker-'))
  file = join(folder, 'quire.db')
  database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec('CREATE TABLE notes (text TEXT) STRICT')
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close()
  database.close()
  rmSync(folder, { recursive: true })
})

function open(idleMs?: number): HeavyWorker {
  const worker = createHeavyWorker({ file }, idleMs === undefined ? {} : { idleMs })
  workers.push(worker)
  return worker
}

const read = (worker: HeavyWorker, text: string) => worker.run('read', { text, parameters: [] })
const countNotes = (worker: HeavyWorker) => read(worker, 'SELECT count(*) FROM notes')
/** Half a second of work. */
const long =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n'

/** The threads that `work` started. */
async function startedBy(work: () => Promise<unknown>): Promise<Worker[]> {
  const started: Worker[] = []
  const note = (message: unknown) => {
    const { worker }: { worker?: unknown } = Object(message)
    if (worker instanceof Worker) started.push(worker)
  }
  subscribe('worker_threads', note)
  await work()
  unsubscribe('worker_threads', note)
  return started
}

describe('the worker for slow reads', () => {
  it('starts no thread before the first job, nor on close', async () => {
    expect(await startedBy(() => open().close())).toEqual([])
  })

  it('sees what was committed before the call', async () => {
    const worker = open()
    expect(await countNotes(worker)).toEqual([[0]])
    database.exec("INSERT INTO notes VALUES ('one')")
    expect(await countNotes(worker)).toEqual([[1]])
    database.exec("BEGIN; INSERT INTO notes VALUES ('two')")
    expect(await countNotes(worker)).toEqual([[1]])
    database.exec('COMMIT')
    expect(await countNotes(worker)).toEqual([[2]])
  })

  it('answers each of many concurrent jobs', async () => {
    const worker = open()
    const asked = Array.from({ length: 50 }, (_, index) =>
      worker.run('read', { text: 'SELECT ?, ?', parameters: [index, `t${index}`] }),
    )
    expect(await Promise.all(asked)).toEqual(asked.map((_, index) => [[index, `t${index}`]]))
  })

  it('fails a job with the error of SQLite, and continues', async () => {
    const worker = open()
    await expect(read(worker, 'SELECT * FROM nowhere')).rejects.toThrow('no such table: nowhere')
    await expect(read(worker, "INSERT INTO notes VALUES ('x') RETURNING text")).rejects.toMatchObject({
      name: 'StoreUnavailable',
      kind: 'closed',
    })
    expect(await countNotes(worker)).toEqual([[0]])
  })

  it('refuses waiting jobs when its thread crashes, and starts a new one', async () => {
    const worker = open()
    const [thread] = await startedBy(() => countNotes(worker))
    const waiting = Promise.allSettled([read(worker, long), countNotes(worker)])
    await thread?.terminate()
    for (const outcome of await waiting) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : null
      expect(reason).toBeInstanceOf(StoreUnavailable)
      expect(reason).toMatchObject({ kind: 'busy' })
    }
    expect(await countNotes(worker)).toEqual([[0]])
  })

  it('refuses a job when its thread cannot start', async () => {
    const worker = createHeavyWorker({ file: join(folder, 'missing.db') })
    const refused = countNotes(worker)
    await expect(refused).rejects.toMatchObject({
      kind: 'busy',
      cause: { message: 'unable to open database file' },
    })
    await worker.close()
  })

  it('refuses a job when too many are waiting', async () => {
    const worker = open()
    const asked = await Promise.allSettled(Array.from({ length: 300 }, () => countNotes(worker)))
    const refused = asked.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(44)
    expect(refused[0]).toMatchObject({ reason: { kind: 'busy' } })
  })

  it('ends its thread after an idle time, and starts a new one', async () => {
    const worker = open(20)
    const [thread] = await startedBy(() => countNotes(worker))
    if (thread && thread.threadId > 0) await once(thread, 'exit')
    expect(await startedBy(() => countNotes(worker))).toHaveLength(1)
  })

  it('keeps its thread while there are jobs', async () => {
    const worker = open(50)
    const started = await startedBy(async () => {
      await countNotes(worker)
      await read(worker, long)
      await countNotes(worker)
    })
    expect(started).toHaveLength(1)
  })

  it('finishes its jobs on close, and releases the file', async () => {
    const worker = open()
    const asked = countNotes(worker)
    await worker.close()
    expect(await asked).toEqual([[0]])
    expect(database.pragma('journal_mode = DELETE', { simple: true })).toBe('delete')
  })

  it('does not keep a process alive', () => {
    const module = pathToFileURL(join(import.meta.dirname, 'heavy-worker.ts')).href
    const script = `import { createHeavyWorker } from ${JSON.stringify(module)}
      const worker = createHeavyWorker({ file: ${JSON.stringify(file)} })
      process.stdout.write(JSON.stringify(await worker.run('read', { text: 'SELECT 7', parameters: [] })))`
    const ran = spawnSync(
      process.execPath,
      ['--conditions=quire-source', '--input-type=module', '--eval', script],
      { encoding: 'utf8', timeout: 30_000 },
    )
    expect(ran).toMatchObject({ status: 0, stdout: '[[7]]' })
  }, 40_000)
})
