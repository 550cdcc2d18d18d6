import { packageBuild } from '../../scripts/package-build.mjs'

// Bundled because the reader is a twentieth of what the package installs (8.6 MB).
export default packageBuild(import.meta.dirname, 'es2023', { bundled: ['@zip.js/zip.js', 'papaparse'] })
