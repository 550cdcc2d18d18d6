import { systemCaller, systemIdentity } from '../access/identity.ts'
import { createCall, type Call, type CallOrigin } from './call.ts'

/**
 * A call of the process itself, as of now, under a name that the journal keeps. `requestId`: of what it belongs to; without one it is the
 * name, so that to make a call takes no id from those that others get.
 */
export function systemCall(
  running: Pick<CallOrigin, 'environment' | 'memo' | 'shared'>,
  name: string,
  requestId: string = name,
): Call {
  const identity = systemCaller(name)
  return createCall({
    ...running,
    identity,
    who: systemIdentity(name),
    origin: {},
    options: { requestId },
    identify: async () => identity,
  })
}
