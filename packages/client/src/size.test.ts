import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'tsup'
import { expect, it } from 'vitest'

/** Bytes after minifying and gzip. ky is 9 KB of it; an endpoint more costs some 10 bytes in the route table. */
const most = 15 * 1024

async function bundle(folder: string): Promise<{ code: Buffer; inputs: string[] }> {
  await build({
    entry: { client: join(import.meta.dirname, 'index.ts') },
    outDir: folder,
    config: false,
    silent: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify: true,
    metafile: true,
    noExternal: [/./],
    esbuildOptions: (options) => {
      options.conditions = ['quire-source']
    },
  })
  const { inputs } = JSON.parse(await readFile(join(folder, 'metafile-esm.json'), 'utf8'))
  return { code: await readFile(join(folder, 'client.js')), inputs: Object.keys(inputs) }
}

it('is at most 15 KB in a browser, without zod and without the engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-client-'))
  try {
    const { code, inputs } = await bundle(folder)
    const foreign = inputs.filter((path) => /\/(zod|msw)\/|packages\/core\//.test(path))
    expect({ foreign, hasKy: inputs.some((path) => path.includes('/ky/')) }).toEqual({
      foreign: [],
      hasKy: true,
    })
    expect(gzipSync(code).length).toBeLessThanOrEqual(most)
  } finally {
    await rm(folder, { recursive: true })
  }
})
