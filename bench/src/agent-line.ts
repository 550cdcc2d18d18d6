import { scatteredSlugs } from './articles.ts'
import { median, type Figure } from './compare.ts'
import type { Effort } from './http-lines.ts'
import { startQuire, stopServer, type Running } from './servers.ts'

/** Milliseconds that a tool may add to the operation that it calls. */
const mostAdded = 2

/**
 * How many milliseconds the tool `read` of the Model Context Protocol adds to the read of an item, for
 * one client that waits for each answer.
 */
export async function agentLine(data: string, effort: Effort): Promise<Figure> {
  const server = await startQuire(data)
  const slugs = scatteredSlugs(effort.items, 500)
  try {
    const rounds: { readonly plain: number; readonly tool: number }[] = []
    for (let round = 0; round <= effort.rounds; round++) {
      const plain = await timeOf(slugs, (slug) => readItem(server, slug))
      rounds.push({ plain, tool: await timeOf(slugs, (slug) => useRead(server, slug)) })
    }
    // The first round is the warm-up.
    const measured = rounds.slice(1)
    const added = measured.map(({ plain, tool }) => tool - plain)
    const [plain, tool] = [median(measured.map((one) => one.plain)), median(measured.map((one) => one.tool))]
    return {
      what: 'milliseconds that the MCP tool `read` adds to the read of an item',
      value: median(added),
      unit: 'ms',
      min: Math.min(...added),
      max: Math.max(...added),
      target: mostAdded,
      bound: 'atMost',
      detail: `${plain.toFixed(2)} → ${tool.toFixed(2)} ms`,
    }
  } finally {
    await stopServer(server)
  }
}

/** The median time of a request in milliseconds, one after the other. */
async function timeOf(slugs: readonly string[], send: (slug: string) => Promise<Response>): Promise<number> {
  const times: number[] = []
  for (const slug of slugs) {
    const started = performance.now()
    const response = await send(slug)
    const text = await response.text()
    times.push(performance.now() - started)
    if (!response.ok || !text.includes(slug)) throw new Error(`unsuccessful answer: ${text.slice(0, 500)}`)
  }
  return median(times)
}

function readItem({ port, token }: Running, slug: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`http://127.0.0.1:${port}/api/items/bench/slug/${slug}`, { headers })
}

const revision = '2026-07-28'

function useRead({ port, token }: Running, slug: string): Promise<Response> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: 'read', arguments: { repository: 'bench', slug }, _meta: envelope }
  return fetch(`http://127.0.0.1:${port}/api/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'read',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
}
