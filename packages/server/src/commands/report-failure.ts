import { inspect } from 'node:util'
import { QuireError, TokenError } from '@quire/contract'
import { OperatorError } from '../operator-error.ts'

/** Tells why a command failed: one line for what the person at the terminal can put right, the whole story for what is a bug. */
export function reportFailure(error: unknown): void {
  process.exitCode = error instanceof OperatorError ? error.exitCode : 1
  process.stderr.write(`quire: ${lineOf(error) ?? wholeStory(error)}\n`)
}

// Adapters are known by name here: loading them for this would cost every command their start.
const expected: ReadonlySet<string> = new Set(['StoreOpenError', 'StoreUnavailable', 'BlobsUnavailable'])

function lineOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const isExpected = error instanceof OperatorError || error instanceof TokenError
  // What failed inside has its cause with it, where it failed in this process.
  const isReported = error instanceof QuireError && error.code !== 'internal'
  return isExpected || isReported || expected.has(error.name) ? error.message : undefined
}

function wholeStory(error: unknown): string {
  return error instanceof Error ? inspect(error) : String(error)
}
