import { basename } from 'node:path'
import type { BytesIn, ImportPlan } from '@quire/contract'
import { fileBytes } from '../file-bytes.ts'
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

/** A file to import. */
interface Source {
  readonly archive: BytesIn
  readonly name: string
  /** What people call a line of it. */
  readonly nameAt: (at: string) => string
}

/** Imports an exported file. Exit code 1 when something was refused. Errors: OperatorError. */
export async function importFile(path: string, options: ImportFileOptions): Promise<void> {
  const archive = await fileBytes(path)
  await importExport({ archive, name: basename(path), nameAt: (at) => at }, options)
}

/** The same for a folder that `quire export --dir` has written. */
export async function importFolder(folder: string, options: ImportFileOptions): Promise<void> {
  const { packFolder } = await import('../export-folder/pack.ts')
  const packed = await packFolder(folder)
  try {
    await importExport({ ...packed, name: `${basename(folder)}.zip` }, options)
  } finally {
    await packed.remove()
  }
}

/**
 * Prints the plan of an export, and applies it unless it is only a dry run. Exit code 1 when
 * something was refused. Errors: OperatorError.
 */
async function importExport({ archive, name, nameAt }: Source, options: ImportFileOptions): Promise<void> {
  const roles = rolesOf(options.role)
  const connection = await connect(options, 'importer')
  try {
    const { id } = await findRepository(connection.api, options.repository)
    const file = { ...archive, name }
    const { prune, package: into } = options
    const input = { id, file, roles, prune, ...(into !== undefined && { package: into }) }
    const plan = named(await connection.api.repositories.import({ ...input, dryRun: true }), nameAt)
    process.stdout.write(`${planText(plan)}\n`)
    if (options.plan !== undefined && options.plan !== plan.planId)
      throw new OperatorError(`The plan is ${plan.planId} now, not ${options.plan}: review it first.`)
    const isBlocked = plan.counts.refuse > 0 || (plan.counts.conflicts > 0 && into === undefined)
    if (isBlocked) process.exitCode = 1
    if (options.dryRun || isBlocked) process.stdout.write('Nothing was changed.\n')
    else
      process.stdout.write(
        doneText(named(await connection.api.repositories.import({ ...input, planId: plan.planId }), nameAt)),
      )
  } finally {
    await connection.close()
  }
}

/** The plan with the names that people know. */
function named(plan: ImportPlan, nameAt: Source['nameAt']): ImportPlan {
  return { ...plan, refuse: plan.refuse.map((refusal) => ({ ...refusal, at: nameAt(refusal.at) })) }
}

/** Sets the exit code 1 if something was refused. */
function doneText({ package: name, refuse }: ImportPlan): string {
  if (refuse.length > 0) process.exitCode = 1
  const done = name === null ? 'Done.' : `Done, in the package "${name}".`
  return `${[...refuse.map(refusalText), done].join('\n')}\n`
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
    ...(counts.convert > 0
      ? [`${counts.convert} of these are converted, because the repository has other locales, or none.`]
      : []),
    `${counts.create} created, ${counts.update} updated, ${counts.delete} deleted, ${counts.unchanged} unchanged, ${counts.refuse} refused, ${counts.conflicts} conflicts.`,
  ].join('\n')
}

function refusalText({ at, path, message }: ImportPlan['refuse'][number]): string {
  return `refused ${at}: ${`${path} ${message}`.trim()}`
}
