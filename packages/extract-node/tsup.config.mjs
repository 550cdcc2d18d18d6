import { packageBuild } from '../../scripts/package-build.mjs'

const build = packageBuild(import.meta.dirname, 'node22')

// The process that reads is an entry of its own: nobody imports it.
build.entry['reading/process'] = './src/reading/process.ts'

export default build
