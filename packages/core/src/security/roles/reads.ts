import type { Contract, OutputOf, ParsedOf, Role } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { pageOf } from '../../call/paging.ts'
import { presentRecord, requireRecord } from '../../call/records.ts'

type Group = Contract['roles']

/** All roles (specification 4.5). */
export async function listRoles(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const page = pageOf(await call.store.records.list('role'), input)
  return { ...page, items: page.items.map((stored) => presentRecord<'role'>(stored).value()) }
}

/** One role. Errors: `not_found`. */
export async function getRole(call: Call, { id }: ParsedOf<Group['get']>): Promise<Presented<Role>> {
  return presentRecord<'role'>(
    requireRecord<'role'>(call, await call.store.records.get('role', id), `role "${id}"`),
  )
}
