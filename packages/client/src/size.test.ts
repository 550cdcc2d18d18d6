import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'tsup'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Bytes after minifying and gzip. ky is 9 KB of it; an endpoint more costs some 10 bytes in the route table. */
const most = 15 * 1024

/** Bundles for a browser, where esbuild refuses Node's modules. */
async function bundle(entry: string, folder: string): Promise<{ code: Buffer; inputs: string[] }> {
  await build({
    entry: { bundle: join(import.meta.dirname, entry) },
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
  return { code: await readFile(join(folder, 'bundle.js')), inputs: Object.keys(inputs) }
}

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-client-'))
})

afterEach(() => rm(folder, { recursive: true }))

it('is at most 15 KB in a browser, without zod and without the engine', async () => {
  const { code, inputs } = await bundle('index.ts', folder)
  expect(inputs.filter((path) => /\/(zod|msw)\/|packages\/core\//.test(path))).toEqual([])
  expect(inputs.some((path) => path.includes('/ky/'))).toBe(true)
  expect(gzipSync(code).length).toBeLessThanOrEqual(most)
})

it('has a mock that a browser can load, engine and all', async () => {
  const { inputs } = await bundle('mock/index.ts', folder)
  expect(inputs.some((path) => path.includes('packages/core/'))).toBe(true)
})
