import { systemCaller, systemIdentity, resolveIdentity, type Principal } from './access/identity.ts'
import { createCall, type Call, type Running } from './call.ts'
import type { JsonObject } from '../ports/index.ts'

/**
 * A call of the process itself, as of now, under a name that the journal keeps. `requestId`: of what it belongs to; without one it is the
 * name, so that to make a call takes no id from those that others get.
 */
export function systemCall(
  { environment, memo, shared, hooks }: Running,
  name: string,
  requestId: string = name,
): Call {
  const identity = systemCaller(name)
  return createCall({
    environment,
    memo,
    shared,
    hooks,
    identity,
    principal: systemIdentity(name),
    origin: {},
    options: { requestId },
    identify: async () => identity,
  })
}

/** A call of somebody else, with what they may do now. Errors: `unauthorized` when the account is gone or disabled. */
export async function callAs(
  { environment, memo, shared, hooks, requestId }: Call,
  principal: Principal,
): Promise<Call> {
  const identify = () => resolveIdentity(environment.store.records, principal)
  return createCall({
    environment,
    memo,
    shared,
    hooks,
    identity: await identify(),
    principal,
    origin: {},
    options: { requestId },
    identify,
  })
}

/** Who calls, to be kept with what is done later: the account, not the token or session, which end before. */
export function storedPrincipal({ principal }: Call): JsonObject {
  if (principal.kind === 'system') return { kind: principal.kind, name: principal.name }
  return principal.kind === 'anonymous'
    ? { kind: principal.kind }
    : { kind: principal.kind, id: principal.id }
}

/** The inverse of `storedPrincipal`. */
export function principalOf(stored: unknown): Principal {
  // Only `storedPrincipal` writes what is read here.
  return stored as Principal
}
