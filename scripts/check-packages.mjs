// Packs every public package as for publishing, and checks each tarball with publint and "are the
// types wrong".
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const bin = (name) => join(process.cwd(), 'node_modules', '.bin', name)
const folders = readdirSync('packages')
  .map((name) => join('packages', name))
  .filter((folder) => existsSync(join(folder, 'package.json')) && !manifest(folder).private)

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

async function check(folder) {
  const target = mkdtempSync(join(tmpdir(), 'quire-pack-'))
  try {
    await run('pnpm', ['pack', '--pack-destination', target], { cwd: folder })
    const tarball = join(target, readdirSync(target)[0])
    await run(bin('publint'), ['run', '--strict', tarball])
    await run(bin('attw'), ['--profile', 'esm-only', '--format', 'ascii', tarball])
    console.log(`${folder}: ok`)
    return true
  } catch (error) {
    console.error(`${folder}: ${error.message}\n${error.stdout ?? ''}`)
    return false
  } finally {
    rmSync(target, { recursive: true })
  }
}

async function worker(queue, results) {
  for (let folder = queue.shift(); folder; folder = queue.shift()) results.push(await check(folder))
}

const results = []
await Promise.all(Array.from({ length: availableParallelism() }, () => worker(folders, results)))
process.exitCode = results.every(Boolean) ? 0 : 1
