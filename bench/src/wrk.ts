import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load, Measured } from './load.ts'

const script = fileURLToPath(new URL('./wrk.lua', import.meta.url))

/** In a request: nine characters that wrk replaces by a number which no other request has. */
export const countMark = '@@COUNT@@'

let counted = 0

/** What `wrk.lua` prints. */
interface Printed {
  readonly requests: number
  readonly durationUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly maxUs: number
  readonly meanUs: number
  readonly refused: number
  readonly broken: number
}

/**
 * Sends a load with wrk, which is not ours and costs less than the servers that it measures. Errors:
 * wrk is not installed.
 */
export async function sendByWrk(load: Load): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-wrk-'))
  try {
    const file = join(folder, 'requests')
    writeFileSync(file, load.requests.join('\0'))
    const ports = [load.port, ...(load.others ?? [])]
    const seconds = Math.max(1, Math.round(load.durationMs / 1000))
    const url = `http://127.0.0.1:${load.port}`
    const strength = [`-t${ports.length}`, `-c${load.connections}`, `-d${seconds}s`, '--timeout=60s']
    const given = ['--', file, String(counted), ...ports.map(String)]
    const printed = await outputOf([...strength, '-s', script, url, ...given])
    counted += printed.requests + load.connections
    return measuredOf(printed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measuredOf({ requests, refused, broken, durationUs, ...times }: Printed): Measured {
  return {
    rate: requests / (durationUs / 1e6),
    p50: times.p50Us / 1000,
    p99: times.p99Us / 1000,
    max: times.maxUs / 1000,
    mean: times.meanUs / 1000,
    statuses: {
      '2xx or 3xx': requests - refused,
      ...(refused > 0 && { refused }),
      ...(broken > 0 && { broken }),
    },
  }
}

function outputOf(args: readonly string[]): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.once('error', () => reject(new Error('The bench needs wrk: apt-get install wrk.')))
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text.slice(text.lastIndexOf('\n{') + 1)) as Printed)
      else reject(new Error(`wrk ended with ${code}: ${text}`))
    })
  })
}
