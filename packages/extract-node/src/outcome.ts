import type { ChildProcess } from 'node:child_process'
import type { Deadline } from './deadline.ts'
import { refused } from './refused.ts'

/** The result of a file that was given to a process. */
export interface Outcome {
  /**
   * The answer of the process. Errors: ExtractionRefused when the process ends first or could not
   * start.
   */
  readonly message: Promise<unknown>
  forget(): void
}

/** Waits for the next answer of a process, or for its end. */
export function outcomeOf(child: ChildProcess, clock: Deadline): Outcome {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onError = (cause: Error) => reject(refused('busy', cause))
  const onExit = (code: number | null, signal: string | null) => reject(deathOf({ code, signal }, clock))
  // There may be nobody waiting for it any more.
  promise.catch(() => undefined)
  child.once('message', resolve).once('error', onError).once('exit', onExit)
  return {
    message: promise,
    forget: () => void child.off('message', resolve).off('error', onError).off('exit', onExit),
  }
}

/**
 * A process is killed when it exceeds its time or memory. V8 also aborts it when it cannot allocate
 * memory.
 */
function deathOf({ code, signal }: { code: number | null; signal: string | null }, clock: Deadline): Error {
  if (clock.isOver()) return refused('slow')
  if (signal !== null) return refused('large', new Error(`The process was ended by ${signal}.`))
  return refused('unreadable', new Error(`The process exited with ${code}.`))
}
