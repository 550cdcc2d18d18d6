import type { Contract, OutputOf, ParsedOf, ServiceAccount } from '@quire/contract'
import type { Presented } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { pageOf } from '../../call/paging.ts'
import { findServiceAccount, presentAccount, showAccount } from './account.ts'

type Group = Contract['serviceAccounts']

/** All service accounts, without secrets. */
export async function listServiceAccounts(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const page = pageOf(await call.store.records.list('serviceAccount'), input)
  return { ...page, items: await Promise.all(page.items.map((account) => showAccount(call, account))) }
}

/** One service account, without secrets. Errors: `not_found`. */
export async function getServiceAccount(
  call: Call,
  { id }: ParsedOf<Group['get']>,
): Promise<Presented<ServiceAccount>> {
  return presentAccount(call, await findServiceAccount(call, id))
}
