export { quirePlugin, type QuirePluginOptions } from './http/plugin.ts'
export { createServer, type ServerOptions } from './http/server.ts'
export type { GuardOptions } from './http/guard.ts'
export type { LoadLimits } from './http/load.ts'
