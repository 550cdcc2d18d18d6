import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { draftOf, type Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { findMarkdownFiles } from './find-files.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { withReferences, type ImportTarget } from './references.ts'
import { saveDraft, type Change, type ImportMode } from './save-draft.ts'

/** What became of one file. */
export type Outcome = { readonly path: string } & (
  | { readonly change: Change }
  | { readonly change: 'failed'; readonly line: number; readonly message: string }
)

/** Who is told how an import goes. */
export interface ImportListener {
  /** How many files there are. */
  found(files: number): void
  done(outcome: Outcome): void
}

/** How many files had which outcome. */
export type ImportSummary = Readonly<Record<Outcome['change'], number>>

/** What to import. */
export interface ImportRequest {
  readonly folder: string
  readonly mode: ImportMode
  /** Changes what a file says before it is saved. Default: not at all. */
  readonly amend?: (draft: Draft) => Draft
  readonly listener?: ImportListener
}

/**
 * Makes items of the Markdown files of a folder. Importing again changes what has changed in the files and leaves the rest alone.
 * A file that cannot be imported is told with its line, and the others go on; one that refers to an item of a later file is
 * tried again at the end. Errors: OperatorError when the folder cannot be read; what the store throws.
 */
export async function importFolder(target: ImportTarget, request: ImportRequest): Promise<ImportSummary> {
  const { listener } = request
  const paths = await findMarkdownFiles(request.folder)
  listener?.found(paths.length)
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const tell = (outcome: Outcome) => {
    summary[outcome.change] += 1
    listener?.done(outcome)
  }
  const postponed: string[] = []
  for (const path of paths) {
    const outcome = await importFile(target, request, path)
    if (outcome === 'unresolved') postponed.push(path)
    else tell(outcome)
  }
  for (const path of postponed) tell(await lastAttempt(target, request, path))
  return summary
}

async function importFile(
  target: ImportTarget,
  request: ImportRequest,
  path: string,
): Promise<Outcome | 'unresolved'> {
  try {
    return { path, change: await attempt(target, request, path) }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return error.kind === 'unresolved' ? 'unresolved' : failure(path, error)
  }
}

async function lastAttempt(target: ImportTarget, request: ImportRequest, path: string): Promise<Outcome> {
  try {
    return { path, change: await attempt(target, request, path) }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return failure(path, error)
  }
}

async function attempt(
  target: ImportTarget,
  { folder, mode, amend }: ImportRequest,
  path: string,
): Promise<Change> {
  const content = parseMarkdown(await readFile(join(folder, path), 'utf8'))
  const draft = draftOf({ path, content }, target.type)
  return saveDraft(target, await withReferences(target, amend ? amend(draft) : draft), mode)
}

function failure(path: string, { line, message }: FileProblem): Outcome {
  return { path, change: 'failed', line, message }
}
