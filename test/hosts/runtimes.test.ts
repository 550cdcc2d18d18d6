import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npmInstall, runtimes } from '../consumers/install.ts'
import { exchanges } from './exchanges.ts'
import { fastifyHost, freePort, serviceHost } from './hosts.ts'
import { record, type Recorded, type Served } from './record.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-runtimes-'))
const program = join(import.meta.dirname, 'runtime-host.ts')

beforeAll(async () => {
  await npmInstall(folder, Object.fromEntries(Object.values(runtimes).map(({ manifest }) => manifest)), {})
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts the host below a path in a runtime, records what it answers, and ends it. */
async function recordedIn(runtime: keyof typeof runtimes, basePath: string): Promise<readonly Recorded[]> {
  const { file, args } = runtimes[runtime]
  const port = await freePort()
  const command = [...args, '--conditions=quire-source', program, String(port), basePath]
  const host = spawn(join(folder, file), command, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(host.stdout, 'data')) as [Buffer]
    const account = JSON.parse(line.toString()) as Served['account']
    const baseUrl = `http://127.0.0.1:${port}${basePath.replace(/\/$/, '')}`
    return await record({ baseUrl, account, ask: (request) => fetch(request) }, exchanges)
  } finally {
    host.kill('SIGKILL')
  }
}

describe.each(['/', '/api', '/a/b/api', '/cms/'])('below %s', (basePath) => {
  it.each(['bun', 'deno'] as const)('%s answers as the plugin does', async (runtime) => {
    const answers = await recordedIn(runtime, basePath)
    const reference = await (basePath === '/' ? serviceHost : fastifyHost)(basePath)
    const expected = await record(reference, exchanges)
    await reference.close()
    // One after the other, so that a failure names its request.
    for (const [at, answer] of answers.entries()) expect(answer, answer.name).toEqual(expected[at])
    expect(answers).toHaveLength(expected.length)
  })
})
