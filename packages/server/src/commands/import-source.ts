import { stat } from 'node:fs/promises'
import { codeOf, OperatorError } from '../operator-error.ts'
import { isExport } from '../export-folder/unpack.ts'
import { importFile, importFolder, type ImportFileOptions } from './import-file.ts'
import { importMarkdown, type ImportOptions } from './import.ts'

/**
 * Imports an exported file or folder, or a folder of Markdown, which needs a content type. Errors:
 * OperatorError.
 */
export async function importSource(
  source: string,
  options: ImportFileOptions & Partial<ImportOptions>,
): Promise<void> {
  const { type } = options
  const found = await kindOf(source)
  if (found === 'file') return importFile(source, options)
  if (type === undefined && (await isExport(source))) return importFolder(source, options)
  if (type !== undefined) return importMarkdown(source, { ...options, type })
  if (found === 'nothing') throw new OperatorError(`There is no file ${source}.`)
  throw new OperatorError('A folder needs --type, the content type of its items.', { exitCode: 2 })
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await stat(path)).isFile() ? 'file' : 'folder'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'nothing'
    throw error
  }
}
