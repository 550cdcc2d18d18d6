import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'
import { damagedError } from './sqlite-error.ts'
import type { CheckReport } from './worker/check-report.ts'

/** Checks a database for damage. */
export interface Check {
  /**
   * Errors: StoreUnavailable `damaged` for damage that it found, `busy` when it could not check;
   * SQLite's own error when a connection fails.
   */
  run(): Promise<void>
  /** Ends a running check and waits until its process has exited. */
  stop(): Promise<void>
}

const execute = promisify(execFile)

/**
 * Checks a file in a process of its own, with a connection of its own. `quick_check` cannot be
 * interrupted: a thread would delay the shutdown of the service for as long as it takes to read the
 * largest table. A process can be killed at any time.
 */
export function createCheck(file: string): Check {
  const ending = new AbortController()
  let current: Promise<void> | null = null
  const run = async () => {
    try {
      await look(file, ending.signal)
    } finally {
      current = null
    }
  }
  return {
    run: () => (current ??= run()),
    async stop() {
      ending.abort()
      await current?.catch(() => undefined)
    },
  }
}

async function look(file: string, signal: AbortSignal): Promise<void> {
  const report = await reportOn(file, signal)
  if ('problems' in report) {
    if (report.problems.length > 0) throw damagedError(report.problems.join('; '))
    return
  }
  const { message, code } = report.failure
  throw code === null ? brokenOff(new Error(message)) : new Database.SqliteError(message, code)
}

// The entry has the same extension as this file: source next to source, built file next to built
// file.
const extension = extname(import.meta.url)
const entry = fileURLToPath(new URL(`./worker/check${extension}`, import.meta.url))

async function reportOn(file: string, signal: AbortSignal): Promise<CheckReport> {
  const values = [...(extension === '.ts' ? ['--conditions=quire-source'] : []), entry, file]
  try {
    // The empty environment keeps secrets from the process.
    const { stdout } = await execute(process.execPath, values, { signal, killSignal: 'SIGKILL', env: {} })
    return JSON.parse(stdout)
  } catch (error) {
    throw brokenOff(error)
  }
}

function brokenOff(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('busy', 'The database check was interrupted: it will be repeated.', { cause })
}
