import { packageBuild } from '../../scripts/package-build.mjs'

// Bundled, because of Node's loader: it parses the package.json of drizzle-orm (180 kB of exports) again for each of its hundred
// modules, which took 0.4 s and 150 MB of every start.
export default packageBuild(import.meta.dirname, 'node22', ['drizzle-orm'])
