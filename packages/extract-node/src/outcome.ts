import type { ChildProcess } from 'node:child_process'
import type { Deadline } from './deadline.ts'
import { refused } from './refused.ts'

/** What comes of a file that a process was given. */
export interface Outcome {
  /** Its answer. Errors: ExtractionRefused when it ends before, or never began. */
  readonly message: Promise<unknown>
  forget(): void
}

/** Listens for the next answer of a process, and for its end. */
export function outcomeOf(child: ChildProcess, clock: Deadline): Outcome {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onError = (cause: Error) => reject(refused('busy', cause))
  const onExit = (code: number | null, signal: string | null) => reject(deathOf({ code, signal }, clock))
  // Nobody may be waiting for it any more.
  promise.catch(() => undefined)
  child.once('message', resolve).once('error', onError).once('exit', onExit)
  return {
    message: promise,
    forget: () => void child.off('message', resolve).off('error', onError).off('exit', onExit),
  }
}

/** A process is killed for its time or its memory, and V8 kills itself where it finds none. */
function deathOf({ code, signal }: { code: number | null; signal: string | null }, clock: Deadline): Error {
  if (clock.isOver()) return refused('slow')
  if (signal !== null) return refused('large', new Error(`The process ended by ${signal}.`))
  return refused('unreadable', new Error(`The process ended with ${code}.`))
}
