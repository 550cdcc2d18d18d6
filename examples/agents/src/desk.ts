import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { createMcpHandler } from '@quire/mcp'

/** A magazine with an account for an agent. */
export interface Desk {
  readonly quire: Quire
  /** The API for the editor. */
  readonly editor: Api
  /** The id and the secret of the agent's account. */
  readonly account: { readonly id: string; readonly secret: string }
}

/** Opens a magazine with one content type, a style guide, and an agent that can change only packages. */
export async function openDesk(): Promise<Desk> {
  const quire = createQuire({ store: createMemoryStore() })
  const editor = quire.as(systemIdentity('editor'))
  await editor.repositories.create({
    name: 'magazine',
    settings: { styleGuide: 'Titles in sentence case. No exclamation marks.' },
  })
  await editor.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'body', kind: 'text', required: true },
    ],
  })
  const role = await editor.roles.create({ name: 'Writers', bundles: ['bundle.contributor'] })
  const account = await editor.serviceAccounts.create({
    name: 'Writer',
    roles: [role.id],
    branchOnly: true,
    settings: { budget: { calls: 1000 } },
  })
  return { quire, editor, account }
}

/** Connects a client of the protocol with the account of the agent, in this process. */
export async function connectAgent({ quire, editor, account }: Desk): Promise<Client> {
  const mcp = createMcpHandler(quire, { version: '1.0.0' })
  const { access_token: token } = await editor.auth.token({
    grant_type: 'client_credentials',
    client_id: account.id,
    client_secret: account.secret,
  })
  const client = new Client(
    { name: 'example-agent', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  // Against a service, leave out `fetch`: the client sends requests.
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${quire.baseUrl}/api/mcp`), {
      fetch: (url, init) => mcp(new Request(url, init)),
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}
