import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { codeOf, OperatorError } from '../operator-error.ts'

/**
 * The Markdown files below a folder: sorted paths relative to it, without hidden files and links.
 * Errors: OperatorError.
 */
export async function findMarkdownFiles(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
      .toSorted()
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${codeOf(error)})`
    throw new OperatorError(`The folder ${folder} ${reason}.`, { cause: error })
  }
}
