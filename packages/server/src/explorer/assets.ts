import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageFolder } from '../package-folder.ts'

/** The files of Swagger UI that the page of the API loads, with their types. */
export const swaggerFiles = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const

/** The files of GraphiQL that the explorer of a graph loads, with their types: 9 MB. */
export const graphFiles = {
  'graphiql.js': 'text/javascript',
  'graphiql.css': 'text/css',
  'editor.worker.js': 'text/javascript',
  'json.worker.js': 'text/javascript',
  'graphql.worker.js': 'text/javascript',
} as const

export type AssetName = keyof typeof swaggerFiles | keyof typeof graphFiles

const inflate = promisify(gunzip)

/**
 * One file of an explorer. A build has copies of them; the sources read the packages that they come
 * from, which are not installed with this one.
 */
export async function readAsset(name: AssetName): Promise<Buffer> {
  if (extname(import.meta.url) !== '.ts')
    return inflate(await readFile(new URL(`dist/explorer/${name}.gz`, packageFolder)))
  const { href } = new URL('explorer-files.mjs', packageFolder)
  const packages = (await import(/* @vite-ignore */ href)) as {
    readFromPackage(name: AssetName): Promise<Buffer>
  }
  return packages.readFromPackage(name)
}
