import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repository, type Location } from './location.ts'

const script = join(import.meta.dirname, 'tus-client.mjs')

/**
 * An event of a client process. `from`: the offset at which a request starts; `sent`: the number of
 * sent bytes.
 */
export type ClientEvent = { from: number } | { sent: number } | { itemId: string }

/** The task of a client process. */
export interface ClientTask {
  readonly file: string
  /** The file where the client stores the URLs of uploads. */
  readonly urls: string
  /** Called after each event. True kills the process with SIGKILL. */
  readonly isEnough?: (event: ClientEvent) => boolean
}

/** The result of a client process. */
export interface ClientEnd {
  readonly events: readonly ClientEvent[]
  /** Its exit code, or the signal that ended it. */
  readonly how: string
  readonly stderr: string
}

/** Uploads a file with tus-js-client in its own process. */
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
