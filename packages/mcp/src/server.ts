import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { Api } from '@quire/contract'
import { limits } from '@quire/contract'
import { callResult, errorResult } from './call-result.ts'
import { programOf, type Program } from './program.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import type { ToolCall } from './tool.ts'
import { tools } from './tools/index.ts'

/** What a server of the protocol works with. */
export interface McpServerOptions {
  /** The API of the caller. */
  readonly api: Api
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The version of the service, for its clients. */
  readonly version: string
  /** The program that the transport knows, for clients that do not name themselves in each request. */
  readonly program?: Program | undefined
  /** What the client is told about the service. See `instructionsFor`. */
  readonly instructions?: string | undefined
}

/** A server with all tools, resources and prompts, for one request or one connection. */
export function createMcpServer({
  api,
  baseUrl,
  version,
  program,
  instructions,
}: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: 'quire', title: 'Quire', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      maxToolInputElements: limits.jsonValues,
      ...(instructions !== undefined && { instructions }),
    },
  )
  const callOf = (context: ServerContext): ToolCall => ({
    api,
    baseUrl,
    options: {
      signal: context.mcpReq.signal,
      program: programOf(context, server.server.getClientVersion() ?? program),
    },
    progress: (done, total, message) => notifyProgress(context, { progress: done, total, message }),
  })
  for (const tool of tools) {
    const { name, title, description, input: inputSchema, annotations } = tool
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input, context) =>
      tool.run(callOf(context), input).then(callResult, errorResult),
    )
  }
  addResources(server, callOf)
  addPrompts(server, callOf)
  return server
}

async function notifyProgress(
  { mcpReq }: ServerContext,
  progress: { progress: number; total: number; message: string },
): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
}
