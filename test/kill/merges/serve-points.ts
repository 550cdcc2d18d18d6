import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createQuire } from '@quire/core'
import { createServer, noRateLimits } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { acknowledgeEarly } from '../mutant.ts'
import { databaseIn, secretsIn } from './seed-folder.ts'
import { splitStore } from './split-store.ts'
import { watchMerge, type AtPoint } from './watch-merge.ts'

// Long enough for an answer to be sent.
const earlyMs = 300

/**
 * Runs the service with a store that kills its own process when a merge reaches the point `--kill`.
 * A mutant also commits at the point `--split`, or answers before it commits (`--early`).
 */
export async function servePoints(args: readonly string[]): Promise<void> {
  const { folder, size, kill, split, early } = readArgs(args)
  const sound = await openSqliteStore({ file: databaseIn(folder) })
  const mutant = split === '' ? undefined : splitStore(sound)
  const at: AtPoint = async (point) => {
    if (point === split) await mutant?.split()
    if (point === kill) die(point)
  }
  const watched = watchMerge(mutant?.store ?? sound, { size, at })
  const quire = createQuire({
    store: early ? acknowledgeEarly(watched, earlyMs) : watched,
    secrets: secretsIn(folder),
  })
  const app = createServer({ quire, baseUrl: 'http://127.0.0.1:3000', explorer: 'off', rates: noRateLimits })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`)
}

function readArgs(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: 'string', default: '' },
      kill: { type: 'string', default: '' },
      split: { type: 'string', default: '' },
      early: { type: 'boolean', default: false },
    },
  })
  return { ...values, size: Number(values.size), folder: positionals[0] ?? '' }
}

/** Writes the line synchronously, then kills the process at once. */
function die(point: string): void {
  writeSync(1, `${JSON.stringify({ event: 'killed', point })}\n`)
  process.kill(process.pid, 'SIGKILL')
}
