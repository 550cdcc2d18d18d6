import { QuireError } from '@quire/contract'
import { FileProblem } from './file-problem.ts'

interface File {
  readonly path: string
  /** Line numbers by member of the item. Absent while nothing of it is sent to the engine. */
  readonly lines?: ReadonlyMap<string, number>
}

/** Runs what concerns one file. Errors: FileProblem with the file, and the line of the value that the engine rejects. */
export async function inFile<T>({ path, lines }: File, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof FileProblem) {
      const { line, message, kind, cause } = error
      throw new FileProblem(line, message, { kind, path, cause })
    }
    if (lines === undefined || !(error instanceof QuireError)) throw error
    const [issue] = error.issues ?? []
    const numbers = linesOf(issue?.path ?? '').map((member) => lines.get(member))
    const message = issue?.path ? `${issue.path} ${issue.message}` : error.message
    const line = numbers.find((number) => number !== undefined) ?? 1
    throw new FileProblem(line, message, { path, cause: error })
  }
}

/** The paths whose lines may be known: for `fields.topics.0` also `fields.topics` and `fields`. */
function linesOf(path: string): string[] {
  const parts = path.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}
