// npm start | npm test | npm run quire|build|check|bench|exec: prepares what is missing, then runs it.
// Parses on Node 18 and needs no dependency: it has to run before anything is installed.
import { prepareTools } from './run/tools.mjs'
import { installStep, buildStep } from './run/stale.mjs'
import { forward, step } from './run/step.mjs'

const [command = 'start', ...args] = process.argv.slice(2)
const cli = ['node', 'packages/server/dist/cli.js']

async function install() {
  await prepareTools()
  await installStep()
}

async function check() {
  await step('types', ['node', 'scripts/check-types.mjs'])
  await step('lint', ['pnpm', '--silent', 'lint'])
  await step('format check', ['pnpm', 'exec', 'oxfmt', '--check'])
}

const commands = {
  async start() {
    await install()
    await buildStep()
    return forward([...cli, 'serve', ...args])
  },
  async quire() {
    await install()
    await buildStep()
    return forward([...cli, ...args])
  },
  async test() {
    await install()
    await buildStep()
    await check()
    await step('tests', ['pnpm', 'exec', 'vitest', 'run', ...args], { live: true })
    if (args.length === 0) await step('packages', ['node', 'scripts/check-packages.mjs'])
  },
  async check() {
    await install()
    await check()
  },
  async bench() {
    await install()
    await buildStep()
    return forward(['node', '--conditions=quire-source', 'bench/src/bench.ts', ...args])
  },
  async build() {
    await install()
    await buildStep({ force: true })
  },
  /** Runs any command with the right Node and pnpm first on PATH: `npm run exec -- pnpm add …`. */
  async exec() {
    await install()
    return forward(args)
  },
}

if (!Object.hasOwn(commands, command)) {
  console.error(`[quire] no command '${command}'; there are: ${Object.keys(commands).join(', ')}`)
  process.exit(2)
}
process.exitCode = (await commands[command]()) ?? 0
