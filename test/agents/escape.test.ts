import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openSqliteStore } from '@quire/store-sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { digestsOfMain } from '@quire/testkit'
import { fuzz, type FuzzReport } from '../fuzz/fuzz.ts'
import { createPool, type Pool } from '../fuzz/pool.ts'
import { randomOf, type Random } from '../fuzz/random.ts'
import { prepareData } from '../fuzz/run-fuzz.ts'
import { administratorEnv, administratorToken, callApi } from '../server/api-access.ts'
import { serveArgs, startServer, type ServerProcess } from '../server/server-process.ts'
import { use } from './desk.ts'

// Fixed, so that a failure is due to the change under test.
const seed = 20_261_128
const requests = 12_000
const toolCalls = 600

it(
  `stays in packages, whatever an agent with every permission sends: ${requests} requests, ${toolCalls} tools`,
  { timeout: 400_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-escape-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const prepared = await prepareData(folder)
    const agent = await serving(folder, createAgent)
    const before = await digestsOf(folder)
    const { report, written, outcomes } = await serving(folder, async (server) => {
      const token = await administratorToken(server.url, agent)
      const pool = createPool(prepared, server.url)
      await loadMedia({ url: server.url, token })
      const report = await fuzz({ server, pool, token, seed, requests, deadline: 200_000 })
      const outcomes = await useTools({ url: server.url, token, pool })
      const path = '/api/content/management/packages/magazine?agent=*'
      const admin = await administratorToken(server.url)
      const { count } = await callApi<{ count: number }>({ url: server.url, token: admin }, 'GET', { path })
      return { report, written: count, outcomes }
    })
    expect(report.failures).toEqual([])
    expect(report.sent).toBe(requests)
    // Not everything was refused: it wrote into packages, by requests and by tools.
    expect(writesOf(report)).toBeGreaterThan(15)
    expect(written).toBeGreaterThan(5)
    expect(outcomes.done).toBeGreaterThan(toolCalls / 10)
    expect(await digestsOf(folder)).toEqual(before)
  },
)

async function serving<T>(folder: string, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startServer({ args: [...serveArgs(folder), '--log', 'error'], env: administratorEnv })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** An account that has every permission, and may use none of it outside packages. */
async function createAgent({ url }: ServerProcess): Promise<{ id: string; secret: string }> {
  const access = { url, token: await administratorToken(url) }
  const role = await callApi<{ id: string }>(access, 'POST', {
    path: '/api/security/roles',
    body: { name: 'All', bundles: ['bundle.administrator'] },
  })
  return callApi(access, 'POST', {
    path: '/api/security/serviceAccounts',
    body: { name: 'Agent', roles: [role.id], branchOnly: true },
  })
}

/** The first picture loads the libraries for pictures, which takes seconds on a busy machine. */
async function loadMedia({ url, token }: { url: string; token: string }): Promise<void> {
  const body = new FormData()
  body.append('file', new File(['text'], 'text.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${token}` }
  const path = '/api/assets/magazine/_package/spring-issue'
  const response = await fetch(`${url}${path}`, { method: 'POST', body, headers })
  expect(response.status).toBe(201)
}

async function digestsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const store = await openSqliteStore({ file: join(folder, 'quire.db') })
  try {
    return await digestsOfMain(store)
  } finally {
    await store.close()
  }
}

/** How many operations that write succeeded at least once. */
function writesOf({ succeeded }: FuzzReport): number {
  return [...succeeded].filter((id) =>
    /\.(create|update|delete|move|copy|append|publish|archive|bulk|add|import)/.test(id),
  ).length
}

interface Agent {
  readonly url: string
  readonly token: string
  readonly pool: Pool
}

/** Calls tools with arguments that are sometimes right. */
async function useTools({ url, token, pool }: Agent): Promise<{ readonly done: number }> {
  const client = new Client(
    { name: 'escape', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit: { headers } }),
  )
  const { tools } = await client.listTools()
  let done = 0
  for (let index = 0; index < toolCalls; index += 1) {
    const random = randomOf(seed, index)
    const { name, inputSchema } = random.pick(tools) ?? { name: '', inputSchema: {} }
    const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: string[] }
    const args = Object.fromEntries(
      Object.keys(properties)
        .filter((member) => required.includes(member) || random.chance(0.5))
        .map((member) => [member, valueFor(member, { random, pool })]),
    )
    const { isError } = await use(client, name, args)
    if (!isError) done += 1
  }
  await client.close()
  return { done }
}

function valueFor(member: string, { random, pool }: { random: Random; pool: Pool }): unknown {
  if (random.chance(0.03)) return random.pick([null, 5, '', '../..', {}, ['x'], 'main', '*'])
  const item = () => pool.items.pick(random)?.id ?? 'CONT_1'
  const values: Readonly<Record<string, () => unknown>> = {
    repository: () => (random.chance(0.9) ? 'magazine' : pool.repositories.pick(random)),
    packageName: () =>
      random.pick(['spring-issue', 'agent-work', 'new/task', pool.packages.pick(random) ?? 'x']),
    id: item,
    ids: () => [item(), item()],
    entityId: item,
    type: () => random.pick(['article', 'author']),
    types: () => ['article'],
    name: () => `Name ${random.below(1000)}`,
    fields: () => ({ title: `Title ${random.below(1000)}` }),
    action: () => random.pick(['undo', 'delete']),
    locale: () => random.pick(['de', 'en', '*']),
    body: () => 'A comment',
    summary: () => 'Done',
    url: () => random.pick(['http://127.0.0.1/', 'https://example.org/x.png', 'file:///etc/passwd']),
    state: () => random.pick(['open', 'resolved']),
    pages: () => random.chance(0.5),
    mine: () => random.chance(0.5),
    limit: () => 5,
    from: () => random.below(100),
    filter: () => ({ status: 'draft' }),
  }
  return values[member]?.() ?? 'x'
}
