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
  const notify = (outcome: Outcome) => {
    summary[outcome.change] += 1
    listener?.done(outcome)
  }
  const run: Run = { target, request, accepted: new Map() }
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
  /** The slugs of this import with their files: what two files claim belongs to the first. */
  readonly accepted: Map<string, string>
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

async function attempt({ target, request, accepted }: Run, path: string): Promise<Change> {
  const content = parseMarkdown(await readFile(join(request.folder, path), 'utf8'))
  const given = draftOf({ path, content }, target.type)
  const draft = request.amend ? request.amend(given) : given
  const other = accepted.get(draft.slug) ?? path
  if (other !== path)
    throw new FileProblem(draft.lines.get('slug') ?? 1, `${other} has the slug "${draft.slug}" too`)
  accepted.set(draft.slug, path)
  return saveDraft(target, await withReferences(target, draft), request.mode)
}
