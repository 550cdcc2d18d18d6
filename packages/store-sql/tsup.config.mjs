import { packageBuild } from '../../scripts/package-build.mjs'

// Bundled because Node's loader parses the package.json of drizzle-orm (180 kB of exports) again
// for each of its hundred modules. That took 0.4 s and 150 MB at every start.
export default packageBuild(import.meta.dirname, 'node22', { bundled: ['drizzle-orm'] })
