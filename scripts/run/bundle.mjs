import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { installStep } from './stale.mjs'
import { prepareTools } from './tools.mjs'
import { report, step } from './step.mjs'

/** The package in `deploy`: the service with every adapter. */
export const service = 'quire-service'

/**
 * Builds the service into a folder that is empty or does not exist, with its production dependencies
 * alone, in the versions of the lockfile. The folder needs nothing of the checkout afterwards.
 */
export async function bundle(folder) {
  if (folder === undefined) return refuse('name the folder to build into: npm run bundle -- /opt/quire')
  const target = resolve(process.env.INIT_CWD ?? '.', folder)
  if (existsSync(target) && readdirSync(target).length > 0) return refuse(`${target} is not empty`)
  await prepareTools()
  await installStep(service)
  await step('build', ['pnpm', '-r', '--filter', `${service}^...`, 'build'])
  await step('bundle', ['pnpm', '--filter', service, 'deploy', '--prod', target])
  report(`node ${target}/node_modules/@quire/server/dist/cli.js serve`)
  return 0
}

function refuse(reason) {
  report(reason)
  return 2
}
