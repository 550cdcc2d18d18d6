import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from '../../test/browser-bundle.ts'
import { branchOfOne, type Figure } from './compare.ts'

/** What the client adds to a page: bundled for a browser, minified and compressed. That no zod is in it, its own test sees to. */
export async function clientLine(): Promise<Figure> {
  const entry = fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url))
  const value = gzipSync((await bundleForBrowser(entry)).code).length / 1024
  return branchOfOne({
    what: 'client for a browser',
    value,
    unit: 'KB',
    target: 15,
    bound: 'atMost',
    detail: 'minified and gzipped, without what the first upload loads',
  })
}
