import type { Contract, Group, OutputOf, ParsedOf } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { pageOf } from '../../call/paging.ts'
import { presentRecord } from '../../call/records.ts'
import { findGroup } from './find.ts'

type Groups = Contract['groups']

/** All groups (specification 4.5). */
export async function listGroups(
  call: Call,
  input: ParsedOf<Groups['list']>,
): Promise<OutputOf<Groups['list']>> {
  const page = pageOf(await call.store.records.list('group'), input)
  return { ...page, items: page.items.map((stored) => presentRecord<'group'>(stored).value()) }
}

/** One group. Errors: `not_found`. */
export async function getGroup(call: Call, { id }: ParsedOf<Groups['get']>): Promise<Presented<Group>> {
  return presentRecord<'group'>(await findGroup(call, id))
}
