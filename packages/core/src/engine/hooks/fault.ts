import { QuireError } from '@quire/contract'
import type { Call } from '../call.ts'
import { invalid } from '../check-input.ts'
import { HookRefusal } from './refuse.ts'

/**
 * The error for the caller when a hook threw: its refusal, or `internal` for everything else, which
 * is a fault of the hook and is logged with its name.
 */
export function hookError(
  { environment, requestId }: Pick<Call, 'environment' | 'requestId'>,
  hook: string,
  error: unknown,
): QuireError {
  if (error instanceof HookRefusal) return invalid([...error.issues])
  const cause = messageOf(error)
  environment.log.write('error', 'hook.failed', { hook, requestId, cause })
  return new QuireError('internal', undefined, { cause: new Error(`The hook ${hook} failed: ${cause}`) })
}

/** The stack of an error. Never fails, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  } catch {
    return 'something that cannot be printed'
  }
}
