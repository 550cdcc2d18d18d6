import { packageBuild } from '../../scripts/package-build.mjs'

export default packageBuild(import.meta.dirname, 'es2023', { maps: true })
