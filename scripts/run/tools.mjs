import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { report, root, step } from './step.mjs'

const OLDEST_NODE = 24
const wantedNode = readFileSync(join(root, '.node-version'), 'utf8').trim()
const wantedPnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')[1]

/**
 * Ensures that PATH has suitable versions of `node` and `pnpm`: the installed ones, or our own in
 * .tools.
 */
export async function prepareTools() {
  if (isFit()) return
  const home = join(root, '.tools', `${wantedNode}-${wantedPnpm}`)
  if (!existsSync(home)) await installTools(home)
  process.env.PATH = join(home, 'node_modules', '.bin') + delimiter + process.env.PATH
}

function isFit() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) return false
  const pnpm = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8' })
  return pnpm.status === 0 && pnpm.stdout.split('.')[0] === wantedPnpm.split('.')[0]
}

async function installTools(home) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    report(
      `install Node ${wantedNode} and pnpm ${wantedPnpm} first: this script can do it for you only on Linux`,
    )
    process.exit(1)
  }
  const unfinished = `${home}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'package.json'), '{ "private": true }\n')
  // With the folder as cwd, because `npm --prefix` would also move npm's global configuration and lose
  // its cafile.
  const packages = [`node-linux-${process.arch}@${wantedNode}`, `pnpm@${wantedPnpm}`]
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await step(`tools: Node ${wantedNode} and pnpm ${wantedPnpm}`, ['npm', 'install', ...quiet, ...packages], {
    cwd: unfinished,
  })
  // What addons are compiled with, a third of the size: those here come compiled.
  rmSync(join(unfinished, `node_modules/node-linux-${process.arch}/include`), {
    recursive: true,
    force: true,
  })
  try {
    renameSync(unfinished, home)
  } catch (error) {
    if (!existsSync(home)) throw error
    rmSync(unfinished, { recursive: true })
  }
}
