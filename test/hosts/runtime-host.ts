import { createFetchHandler, noRateLimits, type FetchHandler } from '@quire/http'
import { createHostEngine } from './engine.ts'

/** What this program uses of Bun and of Deno. */
interface Runtimes {
  readonly Bun?: { readonly serve: (options: object) => unknown }
  readonly Deno?: { readonly serve: (options: object, handler: FetchHandler) => unknown }
}

// Serves the content of a host with the server of the runtime: `runtime-host.ts <port> <path>`. Prints
// the account that calls it.
const [, , port = '', basePath = ''] = process.argv
const { quire, account } = await createHostEngine(`http://127.0.0.1:${port}${basePath.replace(/\/$/, '')}`)
const handler = createFetchHandler(quire, {
  basePath,
  rates: noRateLimits,
  trustedOrigins: ['https://www.example.org'],
})
const { Bun, Deno } = globalThis as Runtimes
const address = { hostname: '127.0.0.1', port: Number(port) }
if (Bun) Bun.serve({ ...address, fetch: handler })
else Deno?.serve({ ...address, onListen: () => undefined }, handler)
console.log(JSON.stringify(account))
