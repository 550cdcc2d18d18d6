import type { ErrorCode, QuireError } from '@quire/contract'
import { codeOf } from '../api/host.ts'

/** How a call ended: with an answer, or with an error of ours that is the caller's to deal with. */
export interface Outcome<T> {
  readonly code: ErrorCode | 'done'
  readonly answer?: T
  /** What the error says beside its code. */
  readonly error?: Pick<QuireError, 'message' | 'conflicts' | 'issues' | 'details'>
}

/** Waits for a call. A fault of the engine's own is thrown. */
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
