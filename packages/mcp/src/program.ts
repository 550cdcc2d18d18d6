import { CLIENT_INFO_META_KEY, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The program that an agent runs in. */
export type Program = z.output<typeof Program>

const Program = z.object({ name: z.string(), version: z.string() })

// The SDK has read the envelope, but does not export its type.
const Envelope = z.object({ [CLIENT_INFO_META_KEY]: Program })

const mostCharacters = 200

/** The program of a request, as `CallOptions.program`: what its envelope names, or what is known of it. */
export function programOf({ mcpReq }: ServerContext, known: Program | undefined): string {
  const { data } = Envelope.safeParse(mcpReq.envelope)
  const { name, version } = data?.[CLIENT_INFO_META_KEY] ?? known ?? { name: 'mcp', version: 'unknown' }
  return `${name}/${version}`.replaceAll(/[^ -~]/g, '?').slice(0, mostCharacters)
}
