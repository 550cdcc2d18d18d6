import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { administratorEnv, administratorToken } from '../server/api-access.ts'
import { serveArgs, startServer } from '../server/server-process.ts'
import type { Access } from './project.ts'

/** A service with the demo, in its own process. */
export interface DemoService extends Access {
  stop(): Promise<void>
}

/** Starts the service, with variables of its environment, and waits until the demo is loaded. */
export async function startDemo(more: Readonly<Record<string, string>> = {}): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-clients-'))
  const env = { ...administratorEnv, QUIRE_DEMO: '1', ...more }
  const server = await startServer({ args: serveArgs(join(folder, 'data')), env })
  const { url, lines } = server
  await vi.waitUntil(() => lines.some((line) => line.includes('"demo.loaded"')), { timeout: 30_000 })
  return {
    url,
    token: await administratorToken(url),
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, maxRetries: 5 })
    },
  }
}
