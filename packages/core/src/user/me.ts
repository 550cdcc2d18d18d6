import type { Contract, OutputOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { preferencesOf } from '../security/users/find.ts'

/** Who the caller is, with the preferences of a user. */
export async function me(call: Call): Promise<OutputOf<Contract['user']['me']>> {
  const { kind, id, name, ref } = call.identity
  const preferences = kind === 'user' ? await preferencesOf(call.store.records, id) : null
  return { kind, id, name, email: ref.email, preferences }
}
