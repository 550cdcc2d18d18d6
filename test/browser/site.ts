import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A site that is being served. */
export interface Site {
  readonly origin: string
  /** The received requests, as `GET /`. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/**
 * Nothing from other origins but what is fetched. zod checks once whether it may compile its validators (`new
 * Function`). If a policy forbids it, zod does without, but the browser reports the attempt as an
 * error.
 */
const policy = "default-src 'self' 'unsafe-eval'; img-src data:; connect-src *"

/** Serves the page, these modules, and msw's own worker on this machine. */
export async function serveSite(modules: ReadonlyMap<string, string>): Promise<Site> {
  const files = new Map([...modules].map(([name, text]) => [`/${name}`, { type: 'text/javascript', text }]))
  files.set('/', { type: 'text/html', text: readPage() })
  files.set('/mockServiceWorker.js', { type: 'text/javascript', text: readWorker() })
  const requests: string[] = []
  const server = createServer(({ method, url = '' }, response) => {
    requests.push(`${method} ${url}`)
    const file = files.get(url.replace(/\?.*/, ''))
    response.writeHead(file ? 200 : 404, {
      'content-type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
      'content-security-policy': policy,
    })
    response.end(file?.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readPage(): string {
  return readFileSync(join(import.meta.dirname, 'pages/index.html'), 'utf8')
}

function readWorker(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8')
}
