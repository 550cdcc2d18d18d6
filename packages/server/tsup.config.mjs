import { join } from 'node:path'
import { packageBuild } from '../../scripts/package-build.mjs'
import { writeExplorerFiles } from './explorer-files.mjs'

const build = packageBuild(import.meta.dirname, 'node22', { bundled: ['@zip.js/zip.js'] })

// The code of threads has its own entries, because no module imports it.
build.entry['page-diff/entry'] = './src/page-diff/entry.ts'
build.onSuccess = () => writeExplorerFiles(join(import.meta.dirname, 'dist/explorer'))

export default build
