import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { draftOf, type Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { findMarkdownFiles } from './find-files.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { withReferences, type ImportTarget } from './references.ts'
import { saveDraft, type Change, type ImportMode } from './save-draft.ts'

/** The outcome of one file. */
export type Outcome = { readonly path: string } & (
  | { readonly change: Change }
  | { readonly change: 'failed'; readonly line: number; readonly message: string }
)

/** Receives the progress of an import. */
export interface ImportListener {
  /** Reports the number of files before the first one. */
  found(files: number): void
  done(outcome: Outcome): void
}

/** The number of files per outcome. */
export type ImportSummary = Readonly<Record<Outcome['change'], number>>

/** What to import. */
export interface ImportRequest {
  readonly folder: string
  readonly mode: ImportMode
  /** Changes a draft before it is saved. Default: no change. */
  readonly amend?: (draft: Draft, path: string) => Draft
  readonly listener?: ImportListener
}

/**
 * Imports the Markdown files of a folder as items. Importing again updates only what changed in the
 * files. A file that cannot be imported is reported with its line, and the import continues. A file
 * that refers to an item of a later file is tried again at the end.
 * Errors: OperatorError when the folder cannot be read; what the store throws.
 */
export async function importFolder(target: ImportTarget, request: ImportRequest): Promise<ImportSummary> {
  const { listener } = request
  const paths = await findMarkdownFiles(request.folder)
  listener?.found(paths.length)
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const notify = (outcome: Outcome) => {
    summary[outcome.change] += 1
    listener?.done(outcome)
  }
  const run: Run = { target, request, pathsBySlug: new Map() }
  const postponed: string[] = []
  for (const path of paths) {
    const outcome = await importFile(run, path)
    if (outcome instanceof FileProblem && outcome.kind === 'unresolved') postponed.push(path)
    else notify(reported(path, outcome))
  }
  for (const path of postponed) notify(reported(path, await importFile(run, path)))
  return summary
}

interface Run {
  readonly target: ImportTarget
  readonly request: ImportRequest
  /** Paths by slug. When two files claim a slug, the first one gets it. */
  readonly pathsBySlug: Map<string, string>
}

function reported(path: string, outcome: Change | FileProblem): Outcome {
  if (!(outcome instanceof FileProblem)) return { path, change: outcome }
  return { path, change: 'failed', line: outcome.line, message: outcome.message }
}

async function importFile(run: Run, path: string): Promise<Change | FileProblem> {
  try {
    return await attempt(run, path)
  } catch (error) {
    if (error instanceof FileProblem) return error
    throw error
  }
}

async function attempt({ target, request, pathsBySlug }: Run, path: string): Promise<Change> {
  const content = parseMarkdown(await readFile(join(request.folder, path), 'utf8'))
  const given = draftOf({ path, content }, target.type)
  const draft = request.amend ? request.amend(given, path) : given
  const other = pathsBySlug.get(draft.slug) ?? path
  if (other !== path)
    throw new FileProblem(draft.lines.get('slug') ?? 1, `${other} already has the slug "${draft.slug}"`)
  pathsBySlug.set(draft.slug, path)
  return saveDraft(target, await withReferences(target, draft), request.mode)
}
