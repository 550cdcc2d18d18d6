import { join } from 'node:path'
import { packageBuild } from '../../scripts/package-build.mjs'
import { writeExplorerFiles } from './explorer-files.mjs'
import { buildCommand } from './command-bundle.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// The code of threads has its own entries, because no module imports it.
build.entry['page-diff/entry'] = './src/page-diff/entry.ts'
// The command has a bundle of its own.
delete build.entry.cli
build.onSuccess = async () => {
  await buildCommand()
  await writeExplorerFiles(join(import.meta.dirname, 'dist/explorer'))
}

export default build
