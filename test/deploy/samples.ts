import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))

/** The path of a file in `deploy`. */
export function samplePath(name: string): string {
  return join(root, 'deploy', name)
}

/** A file in `deploy`. */
export function sample(name: string): string {
  return readFileSync(samplePath(name), 'utf8')
}

/** Replaces texts that a sample must contain. Errors: Error if it does not. */
export function adapted(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [before, after]) => {
    if (!changed.includes(before)) throw new Error(`the sample has no “${before}”`)
    return changed.replaceAll(before, after)
  }, text)
}

/** The programs that check the samples, with the Debian packages that contain them. */
const programs = {
  nginx: { path: '/usr/sbin/nginx', package: 'nginx-light' },
  caddy: { path: '/usr/bin/caddy', package: 'caddy' },
  compose: { path: '/usr/bin/docker-compose', package: 'docker-compose' },
  rclone: { path: '/usr/bin/rclone', package: 'rclone' },
  systemd: { path: '/usr/bin/systemd-analyze', package: 'systemd' },
} as const

/** Where a program is, whether it is missing, and the part of a test's name that says so. */
export function program(name: keyof typeof programs) {
  const { path, package: debianPackage } = programs[name]
  const isMissing = !existsSync(path)
  const location = isMissing ? `skipped: no ${path} (apt-get install ${debianPackage})` : `with ${path}`
  return { path, isMissing, location }
}
