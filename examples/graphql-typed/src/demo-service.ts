import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../../packages/server/src/cli.ts', import.meta.url))

/** A Quire service with the demo magazine, as `npm start` runs it. */
export interface DemoService {
  readonly baseUrl: string
  readonly auth: { readonly clientId: string; readonly clientSecret: string }
  /** Stops the service and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts the service on a free port, in its own process and folder. Resolves once the magazine is
 * loaded. Errors: Error if the service exits before that.
 */
export async function startDemo(): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-demo-'))
  const auth = { clientId: 'front-end', clientSecret: randomUUID() }
  const child = spawnQuire(join(folder, 'data'), auth)
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill()
    await closed
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const baseUrl = await loadedUrl(child.stdout)
    // The service keeps logging, and would block on a full pipe that nobody reads.
    child.stdout.resume()
    return { baseUrl, auth, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function spawnQuire(data: string, { clientId, clientSecret }: DemoService['auth']) {
  const args = ['--conditions=quire-source', cli, 'serve', '--port', '0', '--data', data, '--demo', '1']
  const env = {
    PATH: process.env['PATH'],
    QUIRE_ADMIN_CLIENT_ID: clientId,
    QUIRE_ADMIN_CLIENT_SECRET: clientSecret,
  }
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Returns the service's URL once it reports that the demo is loaded. Errors: Error. */
async function loadedUrl(output: Readable): Promise<string> {
  let address = ''
  for await (const line of createInterface({ input: output })) {
    const { event, url }: { event?: string; url?: string } = line.startsWith('{') ? JSON.parse(line) : {}
    if (event === 'ready') address = url ?? ''
    if (event === 'demo.loaded') return address
    if (event === 'demo.failed') throw new Error(line)
  }
  throw new Error('The service exited before the demo was loaded.')
}
