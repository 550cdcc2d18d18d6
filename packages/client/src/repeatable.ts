import type { CallOptions } from '@quire/contract/api'
import type { Route } from '@quire/contract/client'

/** One call of an operation, to be sent. */
export interface OutgoingCall {
  readonly route: Route
  readonly input: object
  readonly options: CallOptions
}

/** Whether a call can be retried when it is unknown whether it took effect (see RetryOptions). */
export function isRepeatable({ route, input, options }: OutgoingCall): boolean {
  // It is unknown what the upstream does with a request.
  if (route.answer === 'proxied') return false
  if (route.method === 'POST') return options.idempotencyKey !== undefined || route.body === 'form'
  if (route.method === 'PATCH')
    return options.ifMatch !== undefined || ('baseVersion' in input && input.baseVersion !== undefined)
  return true
}
