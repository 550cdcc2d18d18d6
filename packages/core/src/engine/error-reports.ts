import { QuireError, type CallOptions, type TokenError } from '@quire/contract'
import { BlobCorrupt } from '../ports/index.ts'
import type { Answer } from './answer.ts'
import type { Environment } from './environment.ts'
import { isRefusal } from './errors.ts'
import { ServedBytes } from './served-bytes.ts'
import { ServedEvents } from './served-events.ts'
import { ServedProxied } from './served-proxied.ts'
import { traceIdOf, type Trace } from './trace.ts'

/**
 * Makes a streamed answer also report errors that happen while it is read, and applies the
 * requested range. Other answers stay as they are.
 */
export function withErrorReports(
  answer: Answer<unknown>,
  { signal, range }: CallOptions,
  report: (error: unknown) => Error,
): Answer<unknown> {
  if (answer instanceof ServedEvents) return answer.watched({ signal, report })
  // An error caused by the caller's disconnect is not a fault.
  const reportUnlessAborted = (error: unknown) =>
    signal?.aborted && error instanceof Error ? error : report(error)
  if (answer instanceof ServedProxied) return answer.reporting(reportUnlessAborted)
  if (!(answer instanceof ServedBytes)) return answer
  const bytes = answer.reporting(reportUnlessAborted)
  return range ? bytes.part(range) : bytes
}

/** Logs an error if the request failed rather than was refused, and returns it. */
export function logFailure<E extends QuireError | TokenError>(
  environment: Environment,
  error: E,
  trace: Trace,
): E {
  if (error instanceof QuireError && !isRefusal(error)) {
    const cause =
      error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause)
    const event = error.cause instanceof BlobCorrupt ? 'blob.corrupt' : 'call.failed'
    const traceId = traceIdOf(trace)
    environment.log.write('error', event, {
      requestId: error.requestId,
      ...(traceId !== undefined && { traceId }),
      message: error.message,
      cause,
    })
  }
  return error
}
