import { readFile } from 'node:fs/promises'

/** The files of Swagger UI that the page loads. */
export type AssetName = 'swagger-ui.css' | 'swagger-ui-bundle.js'

/**
 * One file of Swagger UI, from the package that carries them. Read anew each time: 1.5 MB that hardly anybody asks for would
 * otherwise stay in memory.
 */
export function readAsset(name: AssetName): Promise<Buffer> {
  return readFile(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')))
}
