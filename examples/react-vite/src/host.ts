import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build, preview } from 'vite'

const root = dirname(import.meta.dirname)

/** A host of the built page, on a port of its own. For tests. */
export interface PageHost {
  readonly origin: string
  /** Builds the page for a service, whose address is known only after that of the page. */
  build(serviceUrl: string): Promise<void>
  close(): Promise<void>
}

/** Serves the page on a free port. */
export async function hostPage(): Promise<PageHost> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-react-'))
  const site = { root, logLevel: 'error' as const, build: { outDir: folder, emptyOutDir: true } }
  const host = await preview({ ...site, preview: { host: '127.0.0.1', port: 0 } })
  return {
    origin: new URL(host.resolvedUrls?.local[0] ?? '').origin,
    build: async (serviceUrl) => {
      await build({ ...site, define: { 'import.meta.env.VITE_QUIRE_URL': JSON.stringify(serviceUrl) } })
    },
    close: async () => {
      await host.close()
      await rm(folder, { recursive: true })
    },
  }
}
