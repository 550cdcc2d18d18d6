// The files of Swagger UI and GraphiQL that the explorers load. Their packages are 25 MB and bring 40
// others, of which a service needs six files. A build writes these into dist; the sources read them
// from the packages.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const swagger = (name) => readFile(new URL(name, import.meta.resolve('swagger-ui-dist/package.json')))
const graphiql = async (member) => {
  const module = await import('@graphql-yoga/render-graphiql/graphiql')
  return Buffer.from(module[member])
}

const files = {
  'swagger-ui.css': () => swagger('swagger-ui.css'),
  'swagger-ui-bundle.js': () => swagger('swagger-ui-bundle.js'),
  'graphiql.js': () => graphiql('js'),
  'graphiql.css': () => graphiql('css'),
  'editor.worker.js': () => graphiql('editorWorkerService'),
  'json.worker.js': () => graphiql('jsonWorker'),
  'graphql.worker.js': () => graphiql('graphqlWorker'),
}

/** The bytes of one file, from the package that has it. */
export function readFromPackage(name) {
  return files[name]()
}

/** The files whose terms apply to the copies. */
const licenses = {
  'Swagger UI': [
    'swagger-ui-dist/NOTICE',
    'swagger-ui-dist/LICENSE',
    'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
  ],
  GraphiQL: ['@graphql-yoga/render-graphiql/LICENSE'],
}

/** Writes all files into a folder, compressed: 3 MB instead of 11. */
export async function writeExplorerFiles(folder) {
  await mkdir(folder, { recursive: true })
  const compress = promisify(gzip)
  for (const name of Object.keys(files))
    await writeFile(join(folder, `${name}.gz`), await compress(await readFromPackage(name), { level: 9 }))
  await writeFile(join(folder, 'LICENSES.txt'), await licenseText())
}

async function licenseText() {
  const parts = []
  for (const [name, paths] of Object.entries(licenses)) {
    const texts = paths.map((path) => readFile(join(import.meta.dirname, 'node_modules', path), 'utf8'))
    parts.push(`${name}\n\n${(await Promise.all(texts)).join('\n\n')}`)
  }
  return parts.join('\n\n')
}
