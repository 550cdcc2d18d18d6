// Packs one package as for publishing, and says what is wrong with the tarball.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const bin = (name) => join(import.meta.dirname, '../../test/node_modules/.bin', name)

/**
 * Packs the package in a folder. pnpm replaces `workspace:*` by versions, and the entries for the
 * sources by those of `publishConfig`.
 */
export async function pack(folder, target) {
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', target], { cwd: folder })
  const file = JSON.parse(stdout).filename
  return { file, manifest: await manifestOf(file) }
}

/** The package.json in a tarball. */
export async function manifestOf(file) {
  return JSON.parse((await run('tar', ['-xzOf', file, 'package/package.json'])).stdout)
}

/** Returns a sentence for each fault of a tarball. */
export async function faultsOf({ file, manifest }) {
  const files = (await run('tar', ['-tzf', file])).stdout.split('\n')
  return [
    ...manifestFaults(manifest),
    ...['LICENSE', 'README.md']
      .filter((name) => !files.includes(`package/${name}`))
      .map((name) => `has no ${name}`),
    ...(await checked('publint', ['run', '--strict', file])),
    ...(await checked('attw', ['--profile', 'esm-only', '--format', 'ascii', file])),
  ]
}

function manifestFaults(manifest) {
  const text = JSON.stringify(manifest)
  const left = ['workspace:', 'quire-source', 'link:', 'file:'].filter((part) => text.includes(part))
  const members = ['description', 'keywords', 'license', 'engines', 'exports']
  return [
    ...left.map((part) => `contains "${part}": pack it with pnpm`),
    ...members.filter((member) => !(member in manifest)).map((member) => `has no "${member}"`),
  ]
}

async function checked(command, args) {
  try {
    await run(bin(command), args)
    return []
  } catch (error) {
    return [`fails ${command}:\n${error.stdout ?? ''}${error.stderr ?? error.message}`]
  }
}
