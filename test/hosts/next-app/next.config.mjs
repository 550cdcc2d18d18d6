import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** @type {import('next').NextConfig} */
export default {
  basePath: process.env.HOST_BASE_PATH ?? '',
  distDir: process.env.HOST_DIST,
  turbopack: { root },
  outputFileTracingRoot: root,
  skipTrailingSlashRedirect: true,
  typescript: { ignoreBuildErrors: true },
}
