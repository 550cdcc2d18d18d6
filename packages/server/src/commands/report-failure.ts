import { inspect } from 'node:util'
import { QuireError, TokenError } from '@quire/contract'
import { OperatorError } from '../operator-error.ts'

/**
 * Reports why a command failed: one line for what the operator can fix, the error with its stack
 * and causes for a bug.
 */
export function reportFailure(error: unknown): void {
  process.exitCode = error instanceof OperatorError ? error.exitCode : 1
  process.stderr.write(`quire: ${lineOf(error) ?? inspected(error)}\n`)
}

// Adapter errors are recognized by name: loading their classes would slow down the start of every
// command.
const expected: ReadonlySet<string> = new Set(['StoreOpenError', 'StoreUnavailable', 'BlobsUnavailable'])

function lineOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const isExpected = error instanceof OperatorError || error instanceof TokenError
  // An internal error of this process carries its cause, so it is printed in full.
  const isExpectedCode = error instanceof QuireError && error.code !== 'internal'
  return isExpected || isExpectedCode || expected.has(error.name) ? error.message : undefined
}

function inspected(error: unknown): string {
  return error instanceof Error ? inspect(error) : String(error)
}
