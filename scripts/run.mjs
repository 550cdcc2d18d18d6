// npm start | npm test | npm run test:all|test:services|quire|build|bundle|check|bench|exec: installs and
// builds what is missing, then runs the command. Has no dependencies and parses on Node 18, because it runs
// before anything is installed.
import { alone } from './run/alone.mjs'
import { bundle, service } from './run/bundle.mjs'
import { prepareTools } from './run/tools.mjs'
import { installStep, buildStep } from './run/stale.mjs'
import { forward, step } from './run/step.mjs'

const [command = 'start', ...args] = process.argv.slice(2)

/** Runs the program. What it prints begins its commands like this: `quire` is not on the PATH. */
function quire(words) {
  process.env.QUIRE_COMMAND ??= 'npm run --silent quire --'
  return forward(['node', 'packages/server/dist/cli.js', ...words])
}

async function install(project) {
  await prepareTools()
  await alone(() => installStep(project))
}

const build = (options) => alone(() => buildStep(options))

async function check() {
  await step('types', ['pnpm', '--silent', 'types'])
  await step('lint', ['pnpm', '--silent', 'lint'])
  await step('unused code', ['pnpm', '--silent', 'knip', '--no-progress'])
  await step('reference', ['node', '--conditions=quire-source', 'scripts/generate-reference.mjs', '--check'])
  await step('format check', ['pnpm', 'exec', 'oxfmt', '--check'])
}

/** In CI, also writes the results to a file named after the first tier, which .ci/run reads. */
function testStep(name, tiers) {
  const file = `node_modules/.cache/tests/${tiers[0]}.json`
  const reporters = process.env.CI ? ['--reporter=default', '--reporter=json', `--outputFile=${file}`] : []
  const projects = tiers.flatMap((tier) => ['--project', tier])
  return step(name, ['pnpm', 'exec', 'vitest', 'run', ...projects, ...reporters], { live: true })
}

const commands = {
  async start() {
    await install(service)
    await build()
    process.env.QUIRE_DEMO ??= '1'
    return quire(['serve', ...args])
  },
  async quire() {
    await install(service)
    await build()
    return quire(args)
  },
  /**
   * With arguments, runs the tests whose path contains one, in any tier, without the checks. Without
   * arguments, runs the checks and the quick tier.
   */
  async test() {
    await install()
    if (args.length > 0) return forward(['pnpm', 'exec', 'vitest', 'run', ...args])
    await check()
    await testStep('tests', ['quick', 'units'])
    return 0
  },
  /**
   * The tests that `npm test` leaves out. They start processes from the build, which starts three
   * times as fast as the sources.
   */
  async 'test:services'() {
    await install()
    await build()
    process.env.QUIRE_TEST_BUILT = '1'
    await testStep('tests with services', ['services', 'alone'])
  },
  async 'test:all'() {
    const code = await commands.test()
    if (args.length === 0) await commands['test:services']()
    return code
  },
  async check() {
    await install()
    await check()
  },
  async bench() {
    await install()
    await build()
    return forward(['node', '--conditions=quire-source', 'bench/src/bench.ts', ...args])
  },
  async build() {
    await install()
    await build({ force: true })
  },
  /** Builds the service for another machine: the Dockerfile in `deploy` runs it, too. */
  bundle: () => alone(() => bundle(args[0])),
  /** Runs any command with the right Node and pnpm first on PATH: `npm run exec -- pnpm add …`. */
  async exec() {
    await install()
    return forward(args)
  },
}

if (!Object.hasOwn(commands, command)) {
  console.error(`[quire] unknown command '${command}'; available: ${Object.keys(commands).join(', ')}`)
  process.exit(2)
}
process.exitCode = (await commands[command]()) ?? 0
