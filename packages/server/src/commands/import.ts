import { resolve } from 'node:path'
import type { Api } from '@quire/contract'
import { importFolder, type ImportSummary } from '../markdown/import-folder.ts'
import type { ImportTarget } from '../markdown/references.ts'
import { createDryRun } from '../markdown/dry-run.ts'
import { connect, findRepository, known, type ConnectionOptions } from './connection.ts'
import { importProgress } from './import-progress.ts'

/** Options of `quire import`, parsed. */
export interface ImportOptions extends ConnectionOptions {
  readonly repository: string
  readonly type: string
  readonly dryRun: boolean
}

/**
 * Imports a folder into a data folder that no server uses, or into a running service. Exit code 1
 * when a file failed.
 * Errors: OperatorError when the import could not start.
 */
export async function importMarkdown(folder: string, options: ImportOptions): Promise<void> {
  const connection = await connect(options, 'importer')
  try {
    const target = await findTarget(connection.api, options)
    const listener = importProgress(process.stdout, folder)
    const mode = options.dryRun ? 'dryRun' : 'write'
    const summary = await importFolder(target, { folder: resolve(folder), mode, listener })
    listener.end(summaryLine(summary, options))
    if (summary.failed > 0) process.exitCode = 1
  } finally {
    await connection.close()
  }
}

async function findTarget(api: Api, { repository, type }: ImportOptions): Promise<ImportTarget> {
  const { id, settings } = await findRepository(api, repository)
  const contentType = await known(api.types.get({ id: type }), `There is no content type "${type}".`)
  const { locales } = settings
  const conversion = await createDryRun(contentType, locales)
  return { api, repository: id, type: contentType, locales, conversion }
}

function summaryLine(summary: ImportSummary, { dryRun }: ImportOptions): string {
  const { created, updated, unchanged, failed } = summary
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`
  return dryRun ? `Nothing was changed. The import would give: ${counts}.` : `${counts}.`
}
