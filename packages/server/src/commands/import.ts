import { resolve } from 'node:path'
import { QuireError, type Api } from '@quire/contract'
import { createClient } from '@quire/client'
import { systemIdentity } from '@quire/core'
import { requireDataFolder } from '../data/data-folder.ts'
import { importFolder, type ImportSummary } from '../markdown/import-folder.ts'
import type { ImportTarget } from '../markdown/references.ts'
import { createRehearsal } from '../markdown/rehearsal.ts'
import { openQuire } from '../open-quire.ts'
import { OperatorError } from '../operator-error.ts'
import { importProgress } from './import-progress.ts'

/** Options of `quire import`, parsed. */
export interface ImportOptions {
  readonly repository: string
  readonly type: string
  readonly dryRun: boolean
  readonly data: string
  readonly url?: string
  readonly clientId?: string
  readonly clientSecret?: string
}

/**
 * Imports a folder into a data folder that nobody serves, or into a running service. Exit code 1 when a file failed.
 * Errors: OperatorError when nothing could be imported at all.
 */
export async function importMarkdown(folder: string, options: ImportOptions): Promise<void> {
  const connection = await connect(options)
  try {
    const target = await findTarget(connection.api, options)
    const listener = importProgress(process.stdout, folder)
    const mode = options.dryRun ? 'rehearse' : 'write'
    const summary = await importFolder(target, { folder: resolve(folder), mode, listener })
    listener.end(summaryLine(summary, options))
    if (summary.failed > 0) process.exitCode = 1
  } finally {
    await connection.close()
  }
}

interface Connection {
  readonly api: Api
  close(): Promise<void>
}

async function connect(options: ImportOptions): Promise<Connection> {
  const { url, clientId, clientSecret } = options
  if (url === undefined) return embedded(options)
  if (clientId === undefined || clientSecret === undefined) {
    throw new OperatorError('--url needs --client-id and --client-secret of a service account.', {
      exitCode: 2,
    })
  }
  const api = createClient({ baseUrl: url, auth: { clientId, clientSecret } })
  return { api, close: async () => undefined }
}

async function embedded({ data }: ImportOptions): Promise<Connection> {
  await requireDataFolder(data)
  const { quire } = await openQuire({ data, baseUrl: 'http://127.0.0.1:3000' })
  return { api: quire.as(systemIdentity('importer')), close: () => quire.close() }
}

async function findTarget(api: Api, { repository, type }: ImportOptions): Promise<ImportTarget> {
  const found = await known(
    api.repositories.get({ id: repository }),
    `There is no repository "${repository}".`,
  )
  const contentType = await known(api.types.get({ id: type }), `There is no content type "${type}".`)
  return { api, repository: found.id, type: contentType, rehearsal: await createRehearsal(contentType) }
}

async function known<T>(read: Promise<T>, absent: string): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found')
      throw new OperatorError(absent, { cause: error })
    throw error
  }
}

function summaryLine(summary: ImportSummary, { dryRun }: ImportOptions): string {
  const { created, updated, unchanged, failed } = summary
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`
  return dryRun ? `Nothing was changed. It would be: ${counts}.` : `${counts}.`
}
