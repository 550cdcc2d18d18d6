import { packageBuild } from '../../scripts/package-build.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// What threads run are entries of their own: nobody imports them.
build.entry['page-diff/entry'] = './src/page-diff/entry.ts'
build.entry['explorer/graph-thread'] = './src/explorer/graph-thread.ts'

export default build
