/**
 * An error that the operator can fix: printed as one line, without a stack. The message says what
 * is wrong and what to do, and names the file, port or value.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  /** Exit code of the command: 1, or 2 for wrong usage. */
  readonly exitCode: 1 | 2

  constructor(message: string, options: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}

/**
 * The `code` of an error of the operating system (`EACCES`) or of an adapter; undefined if there is
 * none.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
