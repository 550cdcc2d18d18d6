import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const bunArch = process.arch === 'arm64' ? 'aarch64' : process.arch

/** Tarballs of packages, as `file:` addresses by name. */
export type Tarballs = Readonly<Record<string, string>>

/** The tarballs in a folder, which pnpm names `quire-<package>-<version>.tgz`. */
export function tarballsIn(folder: string): Tarballs {
  const entries = readdirSync(folder).map((file): [string, string] => {
    const name = /^quire-(?<name>[a-z\d-]+?)-\d/.exec(file)?.groups?.['name'] ?? file
    return [`@quire/${name}`, `file:${join(folder, file)}`]
  })
  return Object.fromEntries(entries)
}

/**
 * Runtimes other than Node, from the package registry: the package with its version, the program in an
 * installed folder, and the arguments before a program's file.
 */
export const runtimes = {
  bun: {
    manifest: [`@oven/bun-linux-${bunArch}`, '1.4.5'],
    file: `node_modules/@oven/bun-linux-${bunArch}/bin/bun`,
    args: [],
  },
  deno: {
    manifest: [`@deno/linux-${process.arch}-glibc`, '2.9.6'],
    file: `node_modules/@deno/linux-${process.arch}-glibc/deno`,
    args: ['run', '--allow-all'],
  },
} as const

/**
 * Installs packages with npm. An empty version is that of the tarball; what the packages need of
 * each other comes from tarballs as well.
 */
export async function npmInstall(
  folder: string,
  wanted: Readonly<Record<string, string>>,
  tarballs: Tarballs,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const dependencies = Object.fromEntries(
    Object.entries(wanted).map(([name, version]) => [name, version || tarballs[name]]),
  )
  const overrides = Object.fromEntries(Object.entries(tarballs).filter(([name]) => !(name in wanted)))
  const manifest = { name: 'consumer', private: true, type: 'module', dependencies, overrides }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
}

/** How many packages are installed in a folder, and how many MB they take on the disk. */
export function installedSize(folder: string): { readonly packages: number; readonly megabytes: number } {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, unknown>>
  }
  const { stdout } = spawnSync('du', ['-sm', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  return { packages: Object.keys(lock.packages).length, megabytes: Number.parseInt(stdout, 10) }
}
