import type { Contract, OutputOf, ParsedOf, Repository } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { presentRecord } from '../call/records.ts'
import { findRepository, maySeeRepository } from '../lines/lines.ts'

type Group = Contract['repositories']

/** The repositories that the caller may read anything of, by id. */
export async function listRepositories(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const all = await call.store.records.list('repository')
  const page = pageOf(
    all.filter(({ id }) => maySeeRepository(call, id)),
    input,
  )
  return { ...page, items: page.items.map((stored) => presentRecord<'repository'>(stored).value()) }
}

/** One repository. Errors: `not_found`, also when the caller may read nothing in it. */
export async function getRepository(
  call: Call,
  { id }: ParsedOf<Group['get']>,
): Promise<Presented<Repository>> {
  return presentRecord<'repository'>(await findRepository(call, id))
}
