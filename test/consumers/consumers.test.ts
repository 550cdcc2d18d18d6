import { execFile } from 'node:child_process'
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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleForBrowser } from '../browser-bundle.ts'
import { installedSize, npmInstall, runtimes, tarballsIn, type Tarballs } from './install.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** The oldest Node that is supported, from the package registry, beside the one that runs this. */
const oldestNode = '22.19.0'
const oldestNodePackage = `node-linux-${process.arch}`

/**
 * The goals for a service on SQLite and files, and for a page. Of the instantiations, two thirds are the
 * check of the declarations themselves, which most pages skip (`skipLibCheck`). They grow with the
 * contract: 35.5 for each operation.
 */
const most = {
  packages: 150,
  megabytes: 130,
  clientBytes: 15_360,
  checkSeconds: 3,
  checkMegabytes: 350,
  instantiations: 8700,
}

/** For one program, which takes up to ten seconds on an idle machine. */
const SLOWEST_MS = 240_000
vi.setConfig({ testTimeout: SLOWEST_MS })

const folder = mkdtempSync(join(tmpdir(), 'quire-consumers-'))
const app = join(folder, 'app')
const tests = join(folder, 'tests')
const page = join(folder, 'page')
let tarballs: Tarballs
/** Each runtime: its program, and the arguments before a file. */
let programs: Readonly<Record<string, readonly [file: string, ...args: string[]]>>
let service: ReturnType<typeof installedSize>

/** The service first, which is measured; then what other apps use as well, in the same folder. */
async function installApp(): Promise<void> {
  await npmInstall(app, { '@quire/server': '', fastify: '^5.6.0' }, tarballs)
  service = installedSize(app)
  await npmInstall(
    app,
    {
      '@quire/client': '',
      '@quire/core': '',
      '@quire/http': '',
      '@quire/server': '',
      '@quire/store-postgres': '',
      '@quire/store-sqlite': '',
      '@quire/testkit': '',
      '@types/node': '^24.0.0',
      fastify: '^5.6.0',
      msw: '^3.0.0',
      pg: '^8.23.1',
      [oldestNodePackage]: oldestNode,
      ...Object.fromEntries(Object.values(runtimes).map(({ manifest }) => manifest)),
    },
    tarballs,
  )
}

/** The oldest test tools that are supported. */
const installTests = () =>
  npmInstall(
    tests,
    {
      '@quire/client': '',
      '@quire/core': '',
      '@quire/http': '',
      '@quire/testkit': '',
      jest: '^30.0.0',
      msw: '2.7.0',
      vitest: '3.0.1',
    },
    tarballs,
  )

/** A page in a browser, with what its bundler and its editor see. */
const installPage = () =>
  npmInstall(page, { '@quire/client': '', '@types/react': '^19.0.0', react: '^19.0.0' }, tarballs)

/** Runs a program. Returns its output; an error has the output as well. */
async function output(file: string, args: readonly string[], cwd: string): Promise<string> {
  // pnpm sets NODE_PATH, with which the packages of this workspace would be found everywhere.
  const { NODE_PATH: _, ...inherited } = process.env
  const env = { ...inherited, NODE_OPTIONS: args.includes('jest.config.mjs') ? vmModules : '' }
  try {
    return (await run(file, args, { cwd, env, timeout: SLOWEST_MS })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}

const vmModules = '--experimental-vm-modules'

beforeAll(async () => {
  await output(
    'node',
    [join(root, 'scripts/release.mjs'), '--dry-run', '--into', join(folder, 'tarballs')],
    root,
  )
  tarballs = tarballsIn(join(folder, 'tarballs'))
  for (const target of [app, tests, page]) {
    mkdirSync(target)
    cpSync(join(import.meta.dirname, 'programs'), target, { recursive: true })
  }
  await Promise.all([installApp(), installTests(), installPage()])
  programs = {
    [process.versions.node]: [process.execPath],
    [oldestNode]: [join(app, 'node_modules', oldestNodePackage, 'bin/node')],
    Bun: [join(app, runtimes.bun.file), ...runtimes.bun.args],
    Deno: [join(app, runtimes.deno.file), ...runtimes.deno.args],
  }
}, 2 * SLOWEST_MS)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

describe('an app outside of the workspace', () => {
  it.each(['embedded.mjs', 'hosted.mjs', 'served.mjs', 'in-memory.mjs'])(
    'runs %s on the oldest and the newest Node, on Bun and on Deno',
    async (program) => {
      for (const [name, [file, ...args]] of Object.entries(programs)) {
        // Deno ends a process at SIGTERM before the service has stopped.
        if (name === 'Deno' && program === 'served.mjs') continue
        for (const made of ['magazine.db', 'magazine.db-shm', 'magazine.db-wal', 'data'])
          rmSync(join(app, made), { recursive: true, force: true })
        await expect(output(file, [...args, program], app), name).resolves.toBeTypeOf('string')
      }
    },
  )

  it('runs tests without a service on the oldest and the newest Node', async () => {
    for (const version of [process.versions.node, oldestNode]) {
      const [file] = programs[version] ?? ['']
      expect(await output(file, ['--test', 'offline.test.mjs'], app), version).toContain('pass 1')
    }
  })

  it('needs no vitest for tests of its own', () => {
    expect(existsSync(join(app, 'node_modules/@quire/testkit'))).toBe(true)
    expect(existsSync(join(app, 'node_modules/vitest'))).toBe(false)
  })

  it('compiles strictly, without skipping the types of libraries', async () => {
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
    }
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['strict.ts'] }))
    expect(await output(bin('tsc'), ['-p', 'tsconfig.json'], app)).toBe('')
  })

  it.each([
    ['7', join(root, 'node_modules/typescript/bin/tsc')],
    ['5.9', join(root, 'test/node_modules/typescript-5/bin/tsc')],
  ])('checks a page in moments with TypeScript %s', async (version, tsc) => {
    const alone = await checkCost(tsc, 'page-alone.tsx')
    const page = await checkCost(tsc, 'page.tsx')
    console.log(`TypeScript ${version}: ${costText(page)}; without Quire ${costText(alone)}`)
    expect(page.megabytes).toBeLessThanOrEqual(most.checkMegabytes)
    expect(page.instantiations - alone.instantiations).toBeLessThanOrEqual(most.instantiations)
    // On a slow machine, the compiler alone takes longer than the goal.
    expect(page.seconds).toBeLessThanOrEqual(Math.max(most.checkSeconds, 3 * alone.seconds))
  })

  it('has a client of a few kilobytes in a page', async () => {
    const bundle = await bundleForBrowser(join(app, 'client.mjs'), { published: true })
    const bytes = gzipSync(bundle.code).length
    console.log(`the client in a page: ${bytes} bytes, gzip (goal: 15360)`)
    expect(bundle.files).toBe(1)
    expect(bytes).toBeLessThanOrEqual(most.clientBytes)
  })

  it('needs few packages for a service on SQLite and files', () => {
    console.log(`@quire/server: ${service.packages} packages, ${service.megabytes} MB`)
    expect(service.packages).toBeLessThanOrEqual(most.packages)
    expect(service.megabytes).toBeLessThanOrEqual(most.megabytes)
  })
})

interface CheckCost {
  readonly seconds: number
  readonly megabytes: number
  readonly instantiations: number
}

/** What checking one file costs, with the types of all libraries. Errors: the compiler's. */
async function checkCost(tsc: string, file: string): Promise<CheckCost> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    jsx: 'react-jsx',
    types: [],
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
  }
  writeFileSync(join(page, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const said = await output('node', [tsc, '-p', 'tsconfig.json', '--extendedDiagnostics'], page)
  const figure = (name: string) => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(said)?.[1])
  return {
    seconds: figure('Total time'),
    megabytes: figure('Memory used') / 1024,
    instantiations: figure('Instantiations'),
  }
}

function costText({ seconds, megabytes, instantiations }: CheckCost): string {
  return `${seconds} s, ${Math.round(megabytes)} MB, ${instantiations} instantiations`
}

describe('tests outside of the workspace', () => {
  it('run on the oldest msw', async () => {
    expect(await output('node', ['--test', 'offline.test.mjs'], tests)).toContain('pass 1')
  })

  it('run in Jest', async () => {
    const jest = join(tests, 'node_modules/.bin/jest')
    await expect(output(jest, ['--config', 'jest.config.mjs'], tests)).resolves.toBeTypeOf('string')
  })

  it('run the suites in the oldest vitest', async () => {
    const file = join(tests, 'report.json')
    const args = ['run', '--root', '.', '--reporter=json', `--outputFile=${file}`, 'suites.test.mjs']
    await output(join(tests, 'node_modules/.bin/vitest'), args, tests)
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'))
    expect(report).toMatchObject({ success: true, numFailedTests: 0 })
  })
})

describe('a release', () => {
  const source = join(root, 'packages/blobs-fs')

  it('refuses what npm packs: it has workspace:* and the entries of the sources', async () => {
    const target = join(folder, 'by-npm')
    mkdirSync(target)
    await output('npm', ['pack', '--pack-destination', target], source)
    const code = `
      import { faultsOf, manifestOf } from ${JSON.stringify(join(root, 'scripts/release/tarball.mjs'))}
      const file = ${JSON.stringify(join(target, readdirSync(target)[0] ?? ''))}
      console.log((await faultsOf({ file, manifest: await manifestOf(file) })).join('\\n'))`
    const faults = await output('node', ['--input-type=module', '--eval', code], root)
    expect(faults).toContain('contains "workspace:"')
    expect(faults).toContain('contains "quire-source"')
    expect(faults).toContain('has no LICENSE')
  })

  it('is not made by publishing from a folder', async () => {
    await expect(output('npm', ['publish', '--dry-run'], source)).rejects.toThrow('scripts/release.mjs')
  })
})
