import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'
import type { Common } from './open-server.ts'
import type { Account } from './prepare.ts'

const script = fileURLToPath(new URL('../serve.sh', import.meta.url))
const cli = fileURLToPath(new URL('../../../packages/server/src/cli.ts', import.meta.url))
const account: Account = { clientId: 'admin', clientSecret: 'a-secret-of-tests' }

/** The running script, and the processes that it started. */
export interface Started {
  /** The URLs of the two servers, which are ready. */
  readonly urls: readonly string[]
  readonly account: Account
  /** Stops all three processes. Returns the exit code of the script. */
  readonly stop: () => Promise<number | null>
}

/**
 * Runs serve.sh in its own folder until the end of the test. Resolves once the servers are ready
 * and the worker is working.
 */
export async function startScript({
  database,
  bucket,
}: Pick<Common, 'database' | 'bucket'>): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-script-'))
  const ports = [await freePort(), await freePort()]
  writeCommand(folder)
  const child = spawn(script, {
    cwd: folder,
    env: {
      ...process.env,
      ...environment({ database, bucket }, ports),
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    return child.exitCode
  }
  onTestFinished(async () => {
    await stop()
    rmSync(folder, { recursive: true })
  })
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  await ready(child, urls)
  return { urls, account, stop }
}

/** Creates a command `quire` like that of an installation, but run from the sources. */
function writeCommand(folder: string): void {
  const command = `#!/bin/sh\nexec '${process.execPath}' --conditions=quire-source '${cli}' "$@"\n`
  writeFileSync(join(folder, 'quire'), command, { mode: 0o755 })
}

function environment({ database, bucket }: Pick<Common, 'database' | 'bucket'>, ports: readonly number[]) {
  return {
    NODE_OPTIONS: '',
    QUIRE_DATABASE: database.url,
    QUIRE_DATABASE_SCHEMA: database.schema,
    QUIRE_BLOBS: `s3://${bucket.bucket}/${bucket.prefix}`,
    QUIRE_S3_ENDPOINT: bucket.endpoint,
    AWS_ACCESS_KEY_ID: bucket.credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey,
    QUIRE_BASE_URL: 'http://content.example',
    QUIRE_ADMIN_CLIENT_ID: account.clientId,
    QUIRE_ADMIN_CLIENT_SECRET: account.clientSecret,
    PORT_ONE: String(ports[0]),
    PORT_TWO: String(ports[1]),
  }
}

async function ready(child: ChildProcess, urls: readonly string[]): Promise<void> {
  let given = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (given += text))
  const statusOf = async (url: string) => (await fetch(`${url}/readyz`)).status
  await vi.waitFor(
    async () => {
      expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200])
      expect(given).toContain('{"event":"working"}')
    },
    { timeout: 40_000, interval: 100 },
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
