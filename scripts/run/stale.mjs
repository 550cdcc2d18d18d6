import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { report, root, step } from './step.mjs'

const stamps = join(root, 'node_modules', '.quire')
const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))
const isPackage = (folder) => existsSync(join(folder, 'package.json'))

/**
 * Installs the dependencies in the lockfile, unless it is unchanged since the last install. With a
 * `project` of the workspace, only what it takes to build that one: half of all is for tests alone.
 */
export async function installStep(project) {
  const wanted = installState()
  const stamp = join(stamps, 'install')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  const partly = `${wanted} ${project}`
  if (installed === wanted || (project && installed === partly)) return report('install … up to date')
  // pnpm adds the root project, which has the compilers.
  const filter = project ? ['--filter', `${project}...`] : []
  await step('install', ['pnpm', 'install', '--frozen-lockfile', ...filter])
  write(stamp, project ? partly : wanted)
}

/** Builds every package in dependency order, unless no source is newer than the last build. */
export async function buildStep({ force = false } = {}) {
  const stamp = join(stamps, 'build')
  if (!force && isBuilt(stamp)) return report('build … up to date')
  const started = new Date()
  await step('build', ['pnpm', '-r', '--filter', './packages/*', 'build'])
  write(stamp, '')
  // Files that were edited during the build count as newer than the build.
  utimesSync(stamp, started, started)
}

function installState() {
  const hash = createHash('sha256')
  const manifests = ['packages', 'examples'].flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => join(parent, name)) : [],
  )
  for (const folder of ['.', 'bench', 'deploy', 'test', 'test/clients', ...manifests]) {
    const file = join(root, folder, 'package.json')
    if (!existsSync(file)) continue
    const { scripts: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
    hash.update(folder).update(JSON.stringify(manifest))
  }
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function isBuilt(stamp) {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  const shared = [
    'tsconfig.base.json',
    'tsconfig.web.json',
    'tsconfig.emit.json',
    'scripts/package-build.mjs',
    'pnpm-lock.yaml',
  ]
  const inputs = shared.map((file) => join(root, file))
  return packages.filter(isPackage).every((folder) => {
    const own = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'tsup.config.mjs']
    return (
      existsSync(join(folder, 'dist')) &&
      newest([...inputs, ...own.map((file) => join(folder, file))]) < built
    )
  })
}

/** The latest modification time. Folders count, too, so that removed files are noticed. */
function newest(paths) {
  return Math.max(...paths.map(changedAt))
}

function changedAt(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || path.endsWith('.test.ts')) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

function write(file, text) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(file, text)
}
