import { packageBuild } from '../../scripts/package-build.mjs'

export default packageBuild(import.meta.dirname, 'node22')
