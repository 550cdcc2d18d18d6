import { documentsOf, readSource } from './documents.ts'
import { draftOf, type Draft } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { findMarkdownFiles } from './find-files.ts'
import { inFile } from './in-file.ts'
import { withReferences, type ImportTarget } from './references.ts'
import { saveDrafts, type Change, type ImportMode } from './save-drafts.ts'
import { translationsOf } from './translations.ts'

/** The outcome of one file, or of the files of one document. */
export type Outcome = { readonly path: string } & (
  | { readonly change: Change }
  | { readonly change: 'failed'; readonly line: number; readonly message: string }
)

/** Receives the progress of an import. */
export interface ImportListener {
  /** Reports the number of files, and of items that they describe, before the first one. */
  found(files: number, items: number): void
  done(outcome: Outcome): void
}

/** The number of items per outcome. */
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
 * Imports the Markdown files of a folder as items. In a repository with locales, the files of one
 * document in several locales are one item. Importing again updates only what changed in the files. A
 * file that cannot be imported is reported with its line, and the import continues. A file that
 * refers to an item of a later file is tried again at the end.
 * Errors: OperatorError when the folder cannot be read; what the store throws.
 */
export async function importFolder(target: ImportTarget, request: ImportRequest): Promise<ImportSummary> {
  const { listener, folder } = request
  const paths = await findMarkdownFiles(folder)
  const documents = await documentsOf({ folder, paths }, target)
  listener?.found(paths.length, documents.length)
  const summary = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const notify = (outcome: Outcome) => {
    summary[outcome.change] += 1
    listener?.done(outcome)
  }
  const run: Run = { target, request, pathsBySlug: new Map() }
  const postponed: string[][] = []
  for (const document of documents) {
    const outcome = await importDocument(run, document)
    if (outcome instanceof FileProblem && outcome.kind === 'unresolved') postponed.push(document)
    else notify(reported(document, outcome))
  }
  for (const document of postponed) notify(reported(document, await importDocument(run, document)))
  return summary
}

interface Run {
  readonly target: ImportTarget
  readonly request: ImportRequest
  /** Paths by slug. When two files claim a slug, the first one gets it. */
  readonly pathsBySlug: Map<string, string>
}

function reported(paths: readonly string[], outcome: Change | FileProblem): Outcome {
  const path = paths.join(', ')
  if (!(outcome instanceof FileProblem)) return { path, change: outcome }
  return { path: outcome.path ?? path, change: 'failed', line: outcome.line, message: outcome.message }
}

async function importDocument(run: Run, paths: readonly string[]): Promise<Change | FileProblem> {
  try {
    return await attempt(run, paths)
  } catch (error) {
    if (error instanceof FileProblem) return error
    throw error
  }
}

async function attempt(run: Run, paths: readonly string[]): Promise<Change> {
  const { target, request } = run
  const read: Draft[] = []
  for (const path of paths) read.push(await inFile({ path }, () => draftFrom(run, path)))
  const drafts = await translationsOf(read, target.type)
  claimSlug(run, drafts)
  const resolved: Draft[] = []
  for (const draft of drafts) resolved.push(await inFile(draft, () => withReferences(target, draft)))
  return saveDrafts(target, resolved, request.mode)
}

async function draftFrom({ target, request }: Run, path: string): Promise<Draft> {
  const draft = draftOf(await readSource(request.folder, path, target), target.type)
  return request.amend ? request.amend(draft, path) : draft
}

/** Errors: FileProblem if another document has the slug. */
function claimSlug({ pathsBySlug }: Run, [first]: readonly Draft[]): void {
  if (!first) return
  const { path, slug, lines } = first
  const other = pathsBySlug.get(slug) ?? path
  if (other !== path)
    throw new FileProblem(lines.get('slug') ?? 1, `${other} already has the slug "${slug}"`, { path })
  pathsBySlug.set(slug, path)
}
