import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const programs = join(import.meta.dirname, 'programs')

/** The oldest Node that is supported, from the package registry, beside the one that runs this. */
const oldestNode = '22.19.0'

/** What a service on SQLite and files, and the client in a page, may not exceed. */
const most = { packages: 150, megabytes: 130, clientBytes: 16_500 }

let folder: string
let nodes: Readonly<Record<string, string>>

function manifestOf(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as { name: string; private?: boolean }
}

/** Packs every package that is published, as for publishing. Returns the tarballs by name. */
async function pack(target: string): Promise<Record<string, string>> {
  const packages = join(root, 'packages')
  const tarballs: Record<string, string> = {}
  for (const name of readdirSync(packages)) {
    const manifest = join(packages, name, 'package.json')
    if (!existsSync(manifest) || manifestOf(manifest).private) continue
    const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', target], {
      cwd: join(packages, name),
    })
    const { filename } = JSON.parse(stdout) as { filename: string }
    tarballs[manifestOf(manifest).name] = `file:${filename}`
  }
  return tarballs
}

/** Installs packages with npm into a folder outside of the workspace. */
async function install(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  overrides: Readonly<Record<string, string>>,
): Promise<string> {
  const target = join(folder, name)
  mkdirSync(target)
  const own = Object.fromEntries(Object.entries(overrides).filter(([key]) => !(key in dependencies)))
  writeFileSync(
    join(target, 'package.json'),
    JSON.stringify({ name, private: true, type: 'module', dependencies, overrides: own }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: target })
  return target
}

interface Installed {
  readonly packages: number
  readonly megabytes: number
}

function sizeOf(target: string): Installed {
  const { stdout: files } = spawnSync(
    'find',
    ['node_modules', '-name', 'package.json', '-path', '*node_modules/*'],
    {
      cwd: target,
      encoding: 'utf8',
    },
  )
  const packages = files
    .split('\n')
    .filter((file) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@][^/]*\/package\.json$/.test(file))
  const { stdout } = spawnSync('du', ['-sm', 'node_modules'], { cwd: target, encoding: 'utf8' })
  return { packages: packages.length, megabytes: Number.parseInt(stdout, 10) }
}

let tarballs: Record<string, string>
let app: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-consumers-'))
  tarballs = await pack(folder)
  const wanted = (...names: string[]) => Object.fromEntries(names.map((name) => [name, tarballs[name] ?? '']))
  const node = `node-linux-${process.arch}`
  app = await install(
    'app',
    {
      ...wanted(
        '@quire/core',
        '@quire/client',
        '@quire/http',
        '@quire/server',
        '@quire/store-postgres',
        '@quire/store-sqlite',
      ),
      fastify: '^5.6.0',
      msw: '^3.0.0',
      pg: '^8.23.1',
      '@types/node': '^24.0.0',
      [node]: oldestNode,
    },
    tarballs,
  )
  nodes = {
    [process.versions.node]: process.execPath,
    [oldestNode]: join(app, 'node_modules', node, 'bin/node'),
  }
  cpSync(programs, app, { recursive: true })
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an installation outside of the workspace', () => {
  it.each(['embedded.mjs', 'hosted.mjs', 'served.mjs', 'offline.test.mjs'])(
    'runs %s on the oldest and the newest Node',
    { timeout: 60_000 },
    async (program) => {
      for (const [version, node] of Object.entries(nodes)) {
        for (const made of ['magazine.db', 'magazine.db-shm', 'magazine.db-wal', 'data'])
          rmSync(join(app, made), { recursive: true, force: true })
        const { stderr, stdout, status } = spawnSync(node, [program], { cwd: app, encoding: 'utf8' })
        expect({ version, status, output: status === 0 ? '' : stdout + stderr }).toEqual({
          version,
          status: 0,
          output: '',
        })
      }
    },
  )

  it('compiles strictly, without skipping the types of libraries', { timeout: 60_000 }, () => {
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
    }
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['strict.ts'] }))
    const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], {
      cwd: app,
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('has a client of a few kilobytes in a page', { timeout: 60_000 }, async () => {
    writeFileSync(join(app, 'page.mjs'), "export { createClient } from '@quire/client'\n")
    await build({
      entry: { page: join(app, 'page.mjs') },
      outDir: join(app, 'bundle'),
      config: false,
      silent: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2023',
      minify: true,
      splitting: true,
      noExternal: [/./],
    })
    const entry = readdirSync(join(app, 'bundle')).find((name) => name.startsWith('page.')) ?? ''
    const code = readFileSync(join(app, 'bundle', entry), 'utf8')
    const parts = [...code.matchAll(/from ?"\.\/([^"]+)"/g)].map(([, part = '']) => part)
    const bytes = [entry, ...parts]
      .map((name) => gzipSync(readFileSync(join(app, 'bundle', name))).length)
      .reduce((sum, size) => sum + size, 0)
    console.log(`the client in a page: ${bytes} bytes, gzip`)
    expect(bytes).toBeLessThanOrEqual(most.clientBytes)
  })
})

it('a service on SQLite and files needs few packages', { timeout: 240_000 }, async () => {
  const target = await install(
    'service',
    { '@quire/server': tarballs['@quire/server'] ?? '', fastify: '^5.6.0' },
    tarballs,
  )
  const size = sizeOf(target)
  console.log(`@quire/server: ${size.packages} packages, ${size.megabytes} MB`)
  expect(size.packages).toBeLessThanOrEqual(most.packages)
  expect(size.megabytes).toBeLessThanOrEqual(most.megabytes)
})
