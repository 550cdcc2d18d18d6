import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from '../../test/browser-bundle.ts'
import { singleFigure, type Figure } from './compare.ts'

/**
 * The size that the client adds to a page: the built packages, as a consumer gets them, bundled for
 * a browser, minified and compressed. The client's own test ensures that it contains no zod.
 */
export async function clientLine(): Promise<Figure> {
  const entry = fileURLToPath(new URL('./client-page.ts', import.meta.url))
  const value = gzipSync((await bundleForBrowser(entry, { published: true })).code).length / 1024
  return singleFigure({
    what: 'client for a browser',
    value,
    unit: 'KB',
    target: 15,
    bound: 'atMost',
    detail: 'minified and gzipped, without what the first upload or stream loads',
  })
}
