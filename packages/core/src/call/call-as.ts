import { resolveIdentity, type Who } from '../access/identity.ts'
import type { JsonObject } from '../ports/index.ts'
import { createCall, type Call } from './call.ts'

/** A call of somebody else, with what they may do now. Errors: `unauthorized` when the account is gone or disabled. */
export async function callAs({ environment, memo, shared, requestId }: Call, who: Who): Promise<Call> {
  const identify = () => resolveIdentity(environment.store.records, who)
  return createCall({
    environment,
    memo,
    shared,
    identity: await identify(),
    who,
    origin: {},
    options: { requestId },
    identify,
  })
}

/** Who calls, to be kept with what is done later: the account, not the token or session, which end before. */
export function keptWho({ who }: Call): JsonObject {
  if (who.kind === 'system') return { kind: who.kind, name: who.name }
  return who.kind === 'anonymous' ? { kind: who.kind } : { kind: who.kind, id: who.id }
}

/** The inverse of `keptWho`. */
export function whoOf(kept: unknown): Who {
  // Only `keptWho` writes what is read here.
  return kept as Who
}
