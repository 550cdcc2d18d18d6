import {
  requireUnexpired,
  resolveIdentity,
  systemCaller,
  systemIdentity,
  type Principal,
} from './access/identity.ts'
import type { Call, Running } from './call.ts'
import { createCall, type CallOrigin } from './create-call.ts'
import { isJsonObject, type Json, type JsonObject } from '../ports/index.ts'

/**
 * A call of the process itself at the current time, under a name that the journal records, as part
 * of the trace that is given. `requestId` defaults to the name, so that creating a call does not consume an id.
 */
export function systemCall(
  { environment, memo, shared, wiring, trace }: Running & Pick<CallOrigin, 'trace'>,
  name: string,
  requestId: string = name,
): Call {
  const identity = systemCaller(name)
  return createCall({
    environment,
    memo,
    shared,
    wiring,
    identity,
    principal: systemIdentity(name),
    origin: {},
    ...(trace && { trace }),
    options: { requestId },
    identify: async () => identity,
  })
}

/**
 * A call of another caller with their current permissions. Errors: `unauthorized` when the account
 * is gone, disabled or expired.
 */
export async function callAs(
  { environment, memo, shared, wiring, requestId, trace }: Call,
  principal: Principal,
): Promise<Call> {
  const identify = async () =>
    requireUnexpired(await resolveIdentity(environment.store.records, principal), environment)
  return createCall({
    environment,
    memo,
    shared,
    wiring,
    identity: await identify(),
    principal,
    origin: {},
    trace,
    options: { requestId },
    identify,
  })
}

/**
 * The caller in a form to store with later work: the account, not the token or session, which end
 * earlier.
 */
export function storedPrincipal({ principal, identity }: Call): JsonObject {
  if (principal.kind === 'system') return { kind: principal.kind, name: principal.name }
  if (principal.kind === 'anonymous') return { kind: principal.kind }
  const { kind, id, readsIn } = principal
  return { kind, id, owner: identity.owner, ...(readsIn !== undefined && { readsIn }) }
}

/** Whether later work was stored for the caller's own account. */
export function isStoredFor({ identity }: Call, stored: Json | undefined): boolean {
  return isJsonObject(stored) && stored['owner'] === identity.owner
}

/** The inverse of `storedPrincipal`. */
export function principalOf(stored: unknown): Principal {
  // Only `storedPrincipal` writes the values that are read here.
  return stored as Principal
}
