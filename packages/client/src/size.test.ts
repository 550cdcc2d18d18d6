import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundleForBrowser } from '../../../test/browser-bundle.ts'

/**
 * Bytes after minifying and gzip. 9 KB of them are ky; each endpoint adds about 10 bytes to the
 * route table.
 */
const most = 15_490

it('is one small file in a browser, without zod and without the engine', async () => {
  const { code, inputs, files } = await bundleForBrowser(join(import.meta.dirname, 'index.ts'))
  // What is loaded on demand must import nothing of it: that would be a second file.
  expect(files).toBe(1)
  expect(inputs.filter((path) => /\/(zod|msw)\/|packages\/(core|http)\//.test(path))).toEqual([])
  expect(inputs.filter((path) => /client\/src\/(images|query)/.test(path))).toEqual([])
  expect(inputs.some((path) => path.includes('/ky/'))).toBe(true)
  expect(gzipSync(code).length).toBeLessThanOrEqual(most)
})

it.each(['images', 'query/index'])('has %s apart from it, without a route and without ky', async (name) => {
  const { inputs } = await bundleForBrowser(join(import.meta.dirname, `${name}.ts`))
  expect(inputs.some((path) => path.endsWith(`/${name}.ts`))).toBe(true)
  expect(inputs.filter((path) => /\/(zod|ky|query-core)\/|routes\.ts$/.test(path))).toEqual([])
})

it('has a mock that a browser can load, engine and all', async () => {
  const { inputs } = await bundleForBrowser(join(import.meta.dirname, 'mock/index.ts'))
  expect(inputs.some((path) => path.includes('packages/core/'))).toBe(true)
  // Limits and the parser of forms need Node.
  expect(inputs.filter((path) => /http\/src\/(?:node|index|shared)\.ts$|\/busboy\//.test(path))).toEqual([])
})
