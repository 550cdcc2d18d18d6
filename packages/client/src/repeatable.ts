import type { CallOptions } from '@quire/contract'
import { routes } from '@quire/contract/routes'
import type { Route } from '@quire/contract/client'

/** One call of an operation. */
export interface OutgoingCall {
  readonly route: Route
  readonly input: object
  readonly options: CallOptions
}

/** Whether a call may be sent again when it is not known what became of it (see RetryOptions). */
export function isRepeatable({ route, input, options }: OutgoingCall): boolean {
  // What others do with a request is not known.
  if (route.answer === 'passed') return false
  if (route.method === 'POST')
    return options.idempotencyKey !== undefined || route.path === routes.auth.token.path
  if (route.method === 'PATCH')
    return options.ifMatch !== undefined || ('baseVersion' in input && input.baseVersion !== undefined)
  return true
}
