import { readFile } from 'node:fs/promises'

/** The files of Swagger UI that the page loads. */
export type AssetName = 'swagger-ui.css' | 'swagger-ui-bundle.js'

/** One file of Swagger UI, from the package that carries them. */
export function readAsset(name: AssetName): Promise<Buffer> {
  return readFile(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')))
}
