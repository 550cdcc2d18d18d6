import { packageBuild } from '../../scripts/package-build.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// The code of threads has its own entries, because no module imports it.
build.entry['page-diff/entry'] = './src/page-diff/entry.ts'
build.entry['explorer/graph-thread'] = './src/explorer/graph-thread.ts'

export default build
