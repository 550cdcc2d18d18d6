import type { Contract, OutputOf, ParsedOf, User } from '@quire/contract'
import { explained } from '../../auth/explain.ts'
import type { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { pageOf } from '../../call/paging.ts'
import { findUser, presentUser, showUser } from './find.ts'

type Users = Contract['users']

/** All users (specification 4.5). */
export async function listUsers(
  call: Call,
  input: ParsedOf<Users['list']>,
): Promise<OutputOf<Users['list']>> {
  const { records } = call.store
  const page = pageOf(await records.list('user'), input)
  return { ...page, items: await Promise.all(page.items.map((stored) => showUser(records, stored))) }
}

/** One user. Errors: `not_found`. */
export async function getUser(call: Call, { id }: ParsedOf<Users['get']>): Promise<Presented<User>> {
  return presentUser(call.store.records, await findUser(call, id))
}

/** What a user may do now, and for one key why. Errors: `not_found`. */
export async function userPermissions(
  call: Call,
  { id, ...asked }: ParsedOf<Users['permissions']>,
): Promise<OutputOf<Users['permissions']>> {
  const user = await findUser(call, id)
  return explained(call, { ...user, kind: 'user' }, asked)
}
