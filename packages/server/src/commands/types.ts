import { chmod, readFile, writeFile } from 'node:fs/promises'
import type { ContentType, Repository } from '@quire/contract'
import { contentTypesText } from '@quire/contract/typescript'
import { codeOf, OperatorError } from '../operator-error.ts'
import { connect, findRepository, type ConnectionOptions } from './connection.ts'

/** Options of `quire types`, parsed. */
export interface TypesOptions extends ConnectionOptions {
  readonly repository: string
  readonly out?: string
  /** Compares the file instead of writing it. */
  readonly check: boolean
}

/**
 * Writes TypeScript types for the content types that a repository allows, to a file or to stdout.
 * Errors: OperatorError when `--check` finds a different file, and when the repository does not
 * exist.
 */
export async function writeTypes(options: TypesOptions): Promise<void> {
  const { out, check } = options
  if (check && out === undefined) {
    throw new OperatorError('--check needs --out, the file to compare.', { exitCode: 2 })
  }
  const text = await currentText(options)
  if (out === undefined) process.stdout.write(text)
  else if (check) await requireCurrent(out, { text, command: commandOf(options) })
  else await write(out, text)
}

async function currentText(options: TypesOptions): Promise<string> {
  const connection = await connect(options, 'types')
  try {
    const repository = await findRepository(connection.api, options.repository)
    const { items } = await connection.api.types.list()
    const madeBy = `quire types --repository ${repository.name}`
    const hasLocales = repository.settings.locales !== undefined
    return contentTypesText({ types: allowedTypes(repository, items), hasLocales, madeBy })
  } finally {
    await connection.close()
  }
}

function allowedTypes({ settings }: Repository, types: readonly ContentType[]): readonly ContentType[] {
  const allowed = new Set(settings.allowedTypes)
  return allowed.size === 0 ? types : types.filter(({ name }) => allowed.has(name))
}

function commandOf({ repository, out }: TypesOptions): string {
  return `quire types --repository ${repository} --out ${out}`
}

interface TypesTarget {
  readonly text: string
  readonly command: string
}

/** Errors: OperatorError. */
async function requireCurrent(file: string, { text, command }: TypesTarget): Promise<void> {
  const found = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw unusable(file, error)
  })
  // A checkout on Windows may have converted the line endings.
  if (found?.replaceAll('\r\n', '\n') === text) return
  const problem = found === null ? `There is no file ${file}` : `${file} does not match the content types`
  throw new OperatorError(`${problem}: run ${command}.`)
}

/** Errors: OperatorError. */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
    // Files that commands create are readable by their owner only. Source code is for everybody who
    // builds it.
    await chmod(file, 0o644)
  } catch (error) {
    throw unusable(file, error)
  }
}

function unusable(file: string, error: unknown): unknown {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `There is no folder for ${file}: create it, or choose another file with --out.`,
    EISDIR: `${file} is a folder: name a file with --out.`,
    EACCES: `No permission to use ${file}: change its permissions, or choose another file with --out.`,
  }
  const reason = reasons[codeOf(error) ?? '']
  return reason === undefined ? error : new OperatorError(reason, { cause: error })
}
