import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repository, type Location } from './location.ts'

const script = join(import.meta.dirname, 'tus-client.mjs')

/** What a client process told: `from` is where a request begins, `sent` how many bytes were. */
export type ClientEvent = { from: number } | { sent: number } | { itemId: string }

/** What a client process is to do. */
export interface ClientTask {
  readonly file: string
  /** Where it keeps the addresses of uploads. */
  readonly urls: string
  /** Asked after each event: whether to kill the process now, with SIGKILL. */
  readonly isEnough?: (event: ClientEvent) => boolean
}

/** What came of it. */
export interface ClientEnd {
  readonly events: readonly ClientEvent[]
  /** Its exit code or the signal that ended it. */
  readonly how: string
  readonly stderr: string
}

/** Uploads a file with tus-js-client in a process of its own. */
export async function runTusClient({ url, token }: Location, work: ClientTask): Promise<ClientEnd> {
  const { file, urls, isEnough } = work
  const reported = { endpoint: `${url}/api/items/upload`, token, repository, file, urls }
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, QUIRE_TEST_UPLOAD: JSON.stringify(reported) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const events: ClientEvent[] = []
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event: ClientEvent = JSON.parse(line)
    events.push(event)
    if (isEnough?.(event)) child.kill('SIGKILL')
  })
  const how = await new Promise<string>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? `exit ${code}`))
  })
  return { events, how, stderr }
}
