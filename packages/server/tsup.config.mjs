import { packageBuild } from '../../scripts/package-build.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// The thread that compares pages is an entry of its own: nobody imports it.
build.entry['page-diff/entry'] = './src/page-diff/entry.ts'

export default build
