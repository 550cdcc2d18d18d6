import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Principal, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { createMcpHandler, mcpPath, type McpHandler } from '@quire/mcp'

/** The revisions of the protocol that clients speak. */
export const revisions = ['2026-07-28', '2025-11-25'] as const

export type Revision = (typeof revisions)[number]

/** A magazine, the people who run it, and an agent. */
export interface Desk {
  readonly quire: Quire
  readonly store: Store
  /** The system itself. */
  readonly api: Api
  readonly mcp: McpHandler
  readonly agent: Principal
  /** A client of the official SDK, with the account of an agent. */
  connect(revision?: Revision, account?: Principal): Promise<Client>
  /** Another agent with its own account. */
  hire(account: NewAccount): Promise<Principal>
  close(): Promise<void>
}

type NewAccount = Parameters<Api['serviceAccounts']['create']>[0]

const baseUrl = 'http://127.0.0.1:3999'

/** Opens a desk on a store of its own. */
export async function openDesk(): Promise<Desk> {
  const store = createMemoryStore()
  const quire = createQuire({ store, baseUrl })
  const api = quire.as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine', displayName: 'Magazine' })
  await api.types.create({
    name: 'article',
    displayName: 'Article',
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'text' },
    ],
  })
  const { id: roleId } = await api.roles.create({ name: 'Agents', bundles: ['bundle.contributor'] })
  const hire: Desk['hire'] = async (account) => {
    const { id } = await api.serviceAccounts.create({ roles: [roleId], branchOnly: true, ...account })
    return { kind: 'service', id }
  }
  const agent = await hire({ name: 'Translator' })
  const mcp = createMcpHandler(quire, { version: '1.0.0' })
  return {
    quire,
    store,
    api,
    mcp,
    agent,
    hire,
    connect: (revision = '2026-07-28', account = agent) => connect(mcp, { revision, account }),
    close: () => quire.close(),
  }
}

async function connect(
  mcp: McpHandler,
  { revision, account }: { revision: Revision; account: Principal },
): Promise<Client> {
  const mode = revision === '2026-07-28' ? ({ pin: revision } as const) : 'legacy'
  const client = new Client({ name: 'desk', version: '1.2.3' }, { versionNegotiation: { mode } })
  const fetch = (url: string | URL, init?: RequestInit) => mcp(new Request(url, init), { principal: account })
  const headers = { 'user-agent': 'desk/1.2.3 (test)' }
  const url = new URL(`${baseUrl}${mcpPath}`)
  await client.connect(new StreamableHTTPClientTransport(url, { fetch, requestInit: { headers } }))
  return client
}

/** What a tool answered. */
export interface Answered {
  readonly isError: boolean
  readonly text: string
  readonly about: Readonly<Record<string, unknown>>
  /** The addresses of the resources that it is about. */
  readonly links: readonly string[]
}

/** Calls a tool. */
export async function use(client: Client, name: string, args: object): Promise<Answered> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
  const text = content.map((block) => ('text' in block ? block.text : '')).join('\n')
  const links = content.flatMap((block) => (block.type === 'resource_link' ? block.uri : []))
  return { isError: isError === true, text, about: { ...(structuredContent as object | undefined) }, links }
}
