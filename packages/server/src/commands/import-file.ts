import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Api, ImportPlan } from '@quire/contract'
import { OperatorError } from '../operator-error.ts'
import { connect, findRepository, type ConnectionOptions } from './connection.ts'

/** Options of `quire import` for an exported file, parsed. */
export interface ImportFileOptions extends ConnectionOptions {
  readonly repository: string
  readonly dryRun: boolean
  readonly plan?: string
  readonly package?: string
  readonly prune: boolean
  /** Each `old=new`. */
  readonly role: readonly string[]
}

/**
 * Prints the plan of an exported file, and applies it unless it is only a dry run. Exit code 1 when
 * something was refused. Errors: OperatorError.
 */
export async function importFile(path: string, options: ImportFileOptions): Promise<void> {
  const roles = rolesOf(options.role)
  const connection = await connect(options, 'importer')
  try {
    const { id } = await findRepository(connection.api, options.repository)
    const file = new File([await openAsBlob(path)], basename(path))
    const { prune, package: name } = options
    const input = { id, file, roles, prune, ...(name !== undefined && { package: name }) }
    const plan = await connection.api.repositories.import({ ...input, dryRun: true })
    process.stdout.write(`${planText(plan)}\n`)
    if (options.plan !== undefined && options.plan !== plan.planId)
      throw new OperatorError(`The plan is ${plan.planId} now, not ${options.plan}: review it first.`)
    const isBlocked = plan.counts.refuse > 0 || (plan.counts.conflicts > 0 && name === undefined)
    if (isBlocked) process.exitCode = 1
    if (options.dryRun || isBlocked) process.stdout.write('Nothing was changed.\n')
    else await apply(connection.api, { ...input, planId: plan.planId })
  } finally {
    await connection.close()
  }
}

async function apply(api: Api, input: Parameters<Api['repositories']['import']>[0]): Promise<void> {
  const { package: name, refuse } = await api.repositories.import(input)
  process.stdout.write(
    `${[...refuse.map(refusalText), name === null ? 'Done.' : `Done, in the package "${name}".`].join('\n')}\n`,
  )
  if (refuse.length > 0) process.exitCode = 1
}

/** Errors: OperatorError with exit code 2. */
function rolesOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text) => text.split('='))
  const wrong = given.find((_text, index) => pairs[index]?.length !== 2)
  if (wrong !== undefined)
    throw new OperatorError(`--role ${wrong}: write it as <id in the file>=<id here>.`, { exitCode: 2 })
  return Object.fromEntries(pairs)
}

function planText({ planId, counts, types, changes, refuse, conflicts }: ImportPlan): string {
  return [
    `plan ${planId}`,
    ...types.map((type) => `create type ${type}`),
    ...changes.map(({ kind, entity }) => `${kind} ${entity.kind} ${entity.id} ${entity.name}`),
    ...refuse.map(refusalText),
    ...conflicts.map(({ entity, path }) => `conflict ${entity.kind} ${entity.id} ${path}`.trimEnd()),
    `${counts.create} created, ${counts.update} updated, ${counts.delete} deleted, ${counts.unchanged} unchanged, ${counts.refuse} refused, ${counts.conflicts} conflicts.`,
  ].join('\n')
}

function refusalText({ at, path, message }: ImportPlan['refuse'][number]): string {
  return `refused ${at}: ${`${path} ${message}`.trim()}`
}
