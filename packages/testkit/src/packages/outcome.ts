import type { ErrorCode, QuireError } from '@quire/contract'
import { codeOf } from '../api/host.ts'

/** The outcome of a call: an answer, or a QuireError that the caller can handle. */
export interface Outcome<T> {
  readonly code: ErrorCode | 'done'
  readonly answer?: T
  /** The error without its code. */
  readonly error?: Pick<QuireError, 'message' | 'conflicts' | 'issues' | 'details'>
}

/** Waits for a call. Rethrows internal errors of the engine. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { code: 'done', answer: await call }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'other' || code === 'internal') throw error
    const { message, conflicts, issues, details } = error as QuireError
    return { code, error: { message, conflicts, issues, details } }
  }
}
