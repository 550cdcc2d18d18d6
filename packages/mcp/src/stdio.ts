import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Api } from '@quire/contract'
import { instructionsFor } from './instructions.ts'
import { createMcpServer } from './server.ts'

/** Options of `serveMcp`. */
export interface StdioOptions {
  /** The API of the agent's account: a client of a running service. */
  readonly api: Api
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The version of the service, for its clients. */
  readonly version: string
  /** Receives errors of the protocol. Standard output belongs to the protocol. */
  readonly report: (error: Error) => void
}

/**
 * Serves the Model Context Protocol over standard input and output, until the client ends it. Errors:
 * those of reading the permissions of the account, such as wrong credentials.
 */
export async function serveMcp({ api, baseUrl, version, report }: StdioOptions): Promise<void> {
  const instructions = await instructionsFor(api, {})
  serveStdio(() => createMcpServer({ api, baseUrl, version, instructions }), {
    maxSubscriptions: 0,
    onerror: report,
  })
}
