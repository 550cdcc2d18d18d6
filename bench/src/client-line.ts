import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'tsup'
import type { Line } from './compare.ts'

/** What the client adds to a page: bundled for a browser, minified and compressed. That no zod is in it, its own test sees to. */
export async function clientLine(): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-client-'))
  try {
    await build({
      entry: { client: fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url)) },
      outDir: folder,
      config: false,
      silent: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2023',
      minify: true,
      noExternal: [/./],
      esbuildOptions: (options) => {
        options.conditions = ['quire-source']
      },
    })
    const value = gzipSync(readFileSync(join(folder, 'client.js'))).length / 1024
    return {
      what: 'client for a browser',
      value,
      min: value,
      max: value,
      unit: 'KB',
      target: 15,
      bound: 'atMost',
      detail: 'minified and gzipped',
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
