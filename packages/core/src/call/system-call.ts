import { systemCaller, systemIdentity } from '../access/identity.ts'
import { createCall, type Call, type CallOrigin } from './call.ts'

/** A call of the process itself, as of now, under a name that the journal keeps. */
export function systemCall(running: Pick<CallOrigin, 'environment' | 'memo' | 'shared'>, name: string): Call {
  const identity = systemCaller(name)
  return createCall({
    ...running,
    identity,
    who: systemIdentity(name),
    origin: {},
    options: {},
    identify: async () => identity,
  })
}
