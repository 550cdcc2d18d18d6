/** Why one file cannot be imported. The import continues with the other files. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  /** Line in the file, from 1. */
  readonly line: number
  /** Whether importing other files first may solve it. */
  readonly kind: 'wrong' | 'unresolved'

  constructor(line: number, message: string, options: ErrorOptions & { kind?: 'wrong' | 'unresolved' } = {}) {
    super(message, options)
    this.line = line
    this.kind = options.kind ?? 'wrong'
  }
}
