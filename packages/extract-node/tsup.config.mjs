import { packageBuild } from '../../scripts/package-build.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// The code of the reader process has its own entry, because no module imports it.
build.entry['reading/process'] = './src/reading/process.ts'

export default build
