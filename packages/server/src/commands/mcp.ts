import { createClient } from '@quire/client'
import { OperatorError } from '../operator-error.ts'
import { withPackage } from '../optional-package.ts'
import { serverVersion } from '../version.ts'

/** Options of `quire mcp`, parsed. */
export interface McpCommandOptions {
  readonly url: string
  readonly clientId?: string
  readonly clientSecret?: string
}

/**
 * Serves the Model Context Protocol on standard input and output, with the account of an agent on a
 * running service. Errors: OperatorError without an account or without `@quire/mcp`; QuireError and TokenError of the service.
 */
export async function serveAgent({ url, clientId, clientSecret }: McpCommandOptions): Promise<void> {
  if (clientId === undefined || clientSecret === undefined) {
    throw new OperatorError(
      'Set QUIRE_CLIENT_ID and QUIRE_CLIENT_SECRET to a service account of the agent.',
      {
        exitCode: 2,
      },
    )
  }
  const { serveMcp } = await withPackage('@quire/mcp', () => import('@quire/mcp/stdio'))
  const api = createClient({
    baseUrl: url,
    auth: { clientId, clientSecret },
    headers: { 'quire-agent': '?1' },
  })
  const report = ({ message }: Error) => void process.stderr.write(`quire mcp: ${message}\n`)
  await serveMcp({ api, baseUrl: url.replace(/\/$/, ''), version: serverVersion(), report })
}
