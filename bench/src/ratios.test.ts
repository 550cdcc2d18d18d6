import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Figure } from './compare.ts'
import { fillBare, fillQuire } from './databases.ts'
import { loggingLines } from './limit-lines.ts'

const kinds = [
  'read by slug',
  'list of 25, filtered, sorted, counted',
  'the same list with 4 fields by `select`',
  'the same 4 fields over GraphQL',
  'create, durable, 8 connections',
]

/**
 * The share of a recorded ratio that a run must reach. Two seconds on a machine that is busy with
 * other work measure up to a quarter less than a full run.
 */
const margin = 0.75

// The bench needs wrk, which is not a package of npm: .ci/run installs it.
const hasWrk = isInstalled('wrk')

describe.skipIf(!hasWrk)('the rate of requests, relative to the bare server that logs', () => {
  let folder: string
  let files: { quire: string; bare: string }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-ratios-'))
    const quire = await fillQuire(folder, 10_000)
    files = { quire, bare: await fillBare(folder, quire) }
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(kinds)('of a %s is not much worse than recorded', { timeout: 60_000, retry: 2 }, async (what) => {
    const effort = { rounds: 2, durationMs: 1000, items: 10_000, many: 0 }
    const [measured] = await loggingLines(files, effort, [what])
    expect(measured?.value).toBeGreaterThan(margin * recordedRatio(what))
  })
})

function recordedRatio(what: string): number {
  const { lines } = JSON.parse(readFileSync(new URL('../results.json', import.meta.url), 'utf8')) as {
    lines: Figure[]
  }
  const found = lines.find((line) => line.what === `${what}, relative to the bare server that logs`)
  if (!found) throw new Error(`bench/results.json has no ratio of a ${what}: npm run bench -- --limits`)
  return found.value
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program])
    return true
  } catch {
    return false
  }
}
