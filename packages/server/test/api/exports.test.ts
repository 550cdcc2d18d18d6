import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { createMemoryStore, memoryBlobs } from '@quire/core/memory'
import type { QuireOptions } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { beginHistory, stepsOn, takeAll, type Step } from '../../../testkit/src/packages/history.ts'
import { openMagazine } from '../../../testkit/src/packages/magazine-engine.ts'
import { openTestStore, testDatabase } from '../../../../test/services/postgres.ts'

/** The bytes of an export after these steps on a store. */
async function exportedAfter(
  steps: readonly Step[],
  options: Pick<QuireOptions, 'store' | 'blobs'>,
): Promise<Buffer> {
  const engine = await openMagazine(options)
  const history = await beginHistory(engine)
  await takeAll(history, steps)
  const bytes = await (await engine.api.repositories.export({ id: 'magazine', history: true })).bytes()
  await engine.quire.close()
  return Buffer.from(bytes)
}

async function onSqlite(): Promise<Pick<QuireOptions, 'store' | 'blobs'>> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const blobs = await openFileBlobs({ folder: join(folder, 'blobs'), minFreeBytes: 0 })
  return { store: await openSqliteStore({ file: join(folder, 'quire.db') }), blobs }
}

async function onPostgres(): Promise<Pick<QuireOptions, 'store' | 'blobs'>> {
  const { store, dispose } = await openTestStore()
  onTestFinished(dispose)
  return { store, blobs: memoryBlobs() }
}

it('the same calls are exported to the same bytes by every store', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stepsOn([null]), async (steps) => {
      const first = await exportedAfter(steps, { store: createMemoryStore(), blobs: memoryBlobs() })
      const others = [onSqlite, ...(testDatabase === null ? [] : [onPostgres])]
      for (const open of others) expect(await exportedAfter(steps, await open())).toEqual(first)
    }),
    { numRuns: 8 },
  )
})
