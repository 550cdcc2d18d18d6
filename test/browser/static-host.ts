import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import JSZip from 'jszip'

export interface StaticHost {
  /** The URL of the files, with a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  webp: 'image/webp',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Serves the files of a ZIP archive below a path of this machine, like any static host: a folder is
 * answered with its `index.html`.
 */
export async function serveZip(bytes: ArrayBuffer, below: string): Promise<StaticHost> {
  const { files } = await JSZip.loadAsync(bytes)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(below, '')
    const name = path === '' || path.endsWith('/') ? `${path}index.html` : path
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    response.writeHead(file ? 200 : 404, { 'content-type': type })
    if (file) file.nodeStream().pipe(response)
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${below}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
