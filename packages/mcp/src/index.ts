export {
  createMcpHandler,
  mcpPath,
  type McpHandler,
  type McpHandlerOptions,
  type McpRequestContext,
} from './handler.ts'
export { createMcpServer, type McpServerOptions } from './server.ts'
export { instructionsFor } from './instructions.ts'
