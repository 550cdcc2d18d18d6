import { chmod, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WriteStream } from 'node:tty'
import type { Api, SchemaChange, SchemaPlan } from '@quire/contract'
import { schemaText } from '@quire/contract/typescript'
import { SingleBar } from 'cli-progress'
import { codeOf, OperatorError } from '../operator-error.ts'
import { connect, type ConnectionOptions } from './connection.ts'

/** Options of `quire schema pull`, parsed. */
export interface SchemaPullOptions extends ConnectionOptions {
  readonly out?: string
  /** Replaces a file that exists. */
  readonly force: boolean
}

/** Options of `quire schema plan` and `check`, parsed. */
export interface SchemaPlanOptions extends ConnectionOptions {
  readonly prune: boolean
  /** A running service compares in the background, and shows how far it is. */
  readonly background: boolean
}

/** Options of `quire schema apply`, parsed. */
export interface SchemaApplyOptions extends SchemaPlanOptions {
  readonly plan?: string
  readonly migrate: boolean
}

/**
 * Writes the content types as a TypeScript module, or as JSON if the file is named so, to a file or
 * to stdout. Errors: OperatorError when the file exists.
 */
export async function pullSchema(options: SchemaPullOptions): Promise<void> {
  const { out, force } = options
  const schema = await connected(options, (api) => api.schema.get({}))
  const text = out?.endsWith('.json') === true ? `${JSON.stringify(schema, null, 2)}\n` : schemaText(schema)
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    await writeFile(out, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new OperatorError(`There is a file ${out}: name another one, or replace it with --force.`, {
        cause: error,
      })
    throw error
  }
  // Files that commands create are readable by their owner only. Source code is for everybody.
  await chmod(out, 0o644)
}

/** Prints what a schema file would change. Errors: OperatorError. */
export async function planSchema(file: string, options: SchemaPlanOptions): Promise<void> {
  const plan = await planOf(file, options)
  process.stdout.write(planText(plan))
  if (plan.changes.length > 0)
    process.stdout.write(`Plan ${plan.planId}: apply exactly this with --plan ${plan.planId}.\n`)
}

/** Prints what a schema file changes, and changes it. Errors: OperatorError. */
export async function applySchema(file: string, options: SchemaApplyOptions): Promise<void> {
  const { prune, migrate, plan } = options
  const { types } = await schemaOf(file)
  const input = { types, prune, migrate, ...(plan !== undefined && { planId: plan }) }
  const applied = await connected(options, async (api) => {
    const planned = await planBy(api, types, options)
    process.stdout.write(planText(planned))
    return planned.changes.length === 0 ? planned : api.schema.apply(input)
  })
  if (applied.changes.length > 0) process.stdout.write('Applied.\n')
}

/** Errors: OperatorError when the content types are not as a schema file says. */
export async function checkSchema(file: string, options: SchemaPlanOptions): Promise<void> {
  const plan = await planOf(file, options)
  process.stdout.write(planText(plan))
  if (plan.changes.length > 0)
    throw new OperatorError(`The content types are not as ${file} says: run quire schema apply ${file}.`)
}

async function planOf(file: string, options: SchemaPlanOptions): Promise<SchemaPlan> {
  const { types } = await schemaOf(file)
  return connected(options, (api) => planBy(api, types, options))
}

async function planBy(
  api: Api,
  types: SentTypes,
  { prune, background, url }: SchemaPlanOptions,
): Promise<SchemaPlan> {
  // Without a service, nobody would run the job.
  if (background && url !== undefined) {
    const { id } = await api.schema.startPlan({ types, prune })
    const shown = itemsProgress(process.stderr)
    for await (const { progress } of await api.queue.watch({ jobId: id })) shown.at(progress)
    shown.end()
  }
  return api.schema.plan({ types, prune })
}

interface Counted {
  readonly done: number
  readonly total: number
}

/** A bar on a terminal, one line at the end elsewhere. */
function itemsProgress(output: WriteStream) {
  let last: Counted = { done: 0, total: 0 }
  const bar = output.isTTY ? new SingleBar({ stream: output, format: '{bar} {value}/{total} items' }) : null
  bar?.start(0, 0)
  return {
    at(progress: Counted) {
      last = progress
      bar?.setTotal(progress.total)
      bar?.update(progress.done)
    },
    end() {
      bar?.stop()
      if (!bar) output.write(`${last.done} items were read.\n`)
    },
  }
}

async function connected<T>(options: ConnectionOptions, work: (api: Api) => Promise<T>): Promise<T> {
  const connection = await connect(options, 'schema')
  try {
    return await work(connection.api)
  } finally {
    await connection.close()
  }
}

type SentTypes = Parameters<Api['schema']['plan']>[0]['types']

/**
 * The schema in a file: JSON, or a module that exports `schema` or a default. Node runs TypeScript
 * that only needs its types removed. Errors: OperatorError.
 */
async function schemaOf(file: string): Promise<{ types: SentTypes }> {
  const found = file.endsWith('.json') ? await jsonIn(file) : await exportedBy(file)
  const types = typeof found === 'object' && found !== null && 'types' in found ? found.types : undefined
  if (!Array.isArray(types))
    throw new OperatorError(`${file} has no schema: export one as \`schema\`, made with defineSchema.`)
  return { types }
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw unreadable(file, error)
  }
}

async function exportedBy(file: string): Promise<unknown> {
  try {
    const exported = (await import(pathToFileURL(resolve(file)).href)) as {
      schema?: unknown
      default?: unknown
    }
    return exported.schema ?? exported.default
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error)
  return new OperatorError(`${file} cannot be read: ${reason}`, { cause: error })
}

function planText({ changes, others }: SchemaPlan): string {
  const kept = others.length === 0 ? [] : [`Not in the schema, and kept: ${others.join(', ')}.`]
  const done = changes.length === 0 ? ['The content types are as the schema says.'] : []
  return [...changes.flatMap(changeLines), ...done, ...kept].map((line) => `${line}\n`).join('')
}

const signs = { create: '+', update: '~', rename: '>', delete: '-' } as const

function changeLines(change: SchemaChange): string[] {
  const { type, kind, renamedFrom, members, fields, problem } = change
  return [
    `${signs[kind]} ${type}${renamedFrom === null ? '' : ` (was ${renamedFrom})`}`,
    ...(members.length === 0 ? [] : [`  ~ ${members.join(', ')}`]),
    ...fields.map(({ path, kind: what, from, members: changed }) => {
      const was = from === null ? '' : ` (was ${from})`
      return `  ${signs[what]} ${path}${was}${changed.length === 0 ? '' : `: ${changed.join(', ')}`}`
    }),
    ...itemLines(change).map((line) => `  ${line}`),
    ...(problem === null ? [] : [`  ! ${problem}`]),
  ]
}

function itemLines({ convert, lose, needsMigrate }: SchemaChange): string[] {
  if (!needsMigrate) return []
  const lost = lose === 0 ? '' : `, of which ${lose} lose values`
  const count = convert === 1 ? '1 item is' : `${convert} items are`
  const what = convert === 0 ? 'items might not fit' : `${count} converted${lost}`
  return [`! ${what}: apply it with --migrate`]
}
