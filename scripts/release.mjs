// Packs and checks every public package, and publishes the tarballs: CONTRIBUTING.md, "Release".
// Publishing again continues where an earlier run failed.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { faultsOf, pack } from './release/tarball.mjs'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const options = { 'dry-run': { type: 'boolean', default: false }, into: { type: 'string' } }
const { values } = parseArgs({ options })
const target =
  values.into === undefined ? mkdtempSync(join(tmpdir(), 'quire-release-')) : resolve(values.into)

function publicFolders() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .filter((folder) => !JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).private)
}

/** Packs and checks all packages, a few at a time. Returns the tarballs; null when one has a fault. */
async function packAll() {
  const [queue, tarballs] = [publicFolders(), []]
  let isSound = true
  const work = async () => {
    for (let folder = queue.shift(); folder; folder = queue.shift()) {
      const tarball = await pack(folder, target)
      const faults = await faultsOf(tarball)
      const { name, version } = tarball.manifest
      for (const fault of faults) console.error(`${name} ${fault}`)
      if (faults.length === 0)
        console.log(`${name} ${version}: ${Math.ceil(statSync(tarball.file).size / 1000)} kB`)
      isSound &&= faults.length === 0
      tarballs.push(tarball)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return isSound ? tarballs : null
}

/** Says what a dry run may lack, but a release may not. */
function releaseFaults(tarballs) {
  const notes = readdirSync(join(root, '.changeset')).filter((name) => /^(?!README).*\.md$/.test(name))
  return [
    ...(notes.length > 0 ? [`${notes.length} changesets are pending: run pnpm changeset version.`] : []),
    ...(tarballs.every(({ manifest }) => manifest.repository)
      ? []
      : ['package.json has no "repository", which provenance needs.']),
  ]
}

/** Publishes what is not published yet: a package after those that it depends on. */
async function publish(tarballs) {
  const left = new Map(tarballs.map((tarball) => [tarball.manifest.name, tarball]))
  while (left.size > 0) {
    const isReady = ({ manifest }) => !Object.keys(manifest.dependencies ?? {}).some((name) => left.has(name))
    const { file, manifest } = left.values().find(isReady)
    left.delete(manifest.name)
    if (await isPublished(manifest)) console.log(`${manifest.name} ${manifest.version} is published already`)
    else await run('npm', ['publish', file])
  }
}

async function isPublished({ name, version }) {
  try {
    return (await run('npm', ['view', `${name}@${version}`, 'version'])).stdout.trim() === version
  } catch (error) {
    if (error.stderr.includes('E404')) return false
    throw error
  }
}

async function release() {
  if (!values['dry-run']) await run('node', [join(root, 'scripts/run.mjs'), 'build'])
  const tarballs = await packAll()
  if (tarballs === null) return 1
  const faults = releaseFaults(tarballs)
  for (const fault of faults) console.log(values['dry-run'] ? `before a release: ${fault}` : fault)
  if (values['dry-run']) return 0
  if (faults.length > 0) return 1
  await publish(tarballs)
  return 0
}

mkdirSync(target, { recursive: true })
try {
  process.exitCode = await release()
} finally {
  if (values.into === undefined) rmSync(target, { recursive: true })
}
