interface FileProblemOptions extends ErrorOptions {
  readonly kind?: FileProblem['kind']
  readonly path?: string
}

/** Why one file cannot be imported. The import continues with the other files. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  /** Line in the file, from 1. */
  readonly line: number
  /** Whether importing other files first may solve it. */
  readonly kind: 'wrong' | 'unresolved'
  /** The file; undefined while only the caller knows it. */
  readonly path: string | undefined

  constructor(line: number, message: string, options: FileProblemOptions = {}) {
    super(message, options)
    this.line = line
    this.kind = options.kind ?? 'wrong'
    this.path = options.path
  }
}
