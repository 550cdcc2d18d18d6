import type { ContentType, Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { presentRecord } from '../call/records.ts'
import { findType } from './find.ts'

type Group = Contract['types']

/** Content types, all or the one of a name (specification 4.3). */
export async function listTypes(
  call: Call,
  { name, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const all = await call.store.records.list('type')
  const listed = pageOf(name === undefined ? all : all.filter((type) => type.name === name), page)
  return { ...listed, items: listed.items.map((stored) => presentRecord<'type'>(stored).value()) }
}

/** One content type. Errors: `not_found`. */
export async function getType(call: Call, { id }: ParsedOf<Group['get']>): Promise<Presented<ContentType>> {
  return presentRecord<'type'>(await findType(call, id))
}
