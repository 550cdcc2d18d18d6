import {
  QuireError,
  type AccessConfiguration,
  type Contract,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import type { Stored } from '../ports/index.ts'
import { presentConfiguration } from './stored.ts'

type Access = Contract['access']

/** All access configurations. Errors: `forbidden`. */
export async function listAccess(
  call: Call,
  input: ParsedOf<Access['list']>,
): Promise<OutputOf<Access['list']>> {
  requirePermission(call, 'admin.access.view')
  const page = pageOf(await call.store.records.list('accessConfiguration'), input)
  return { ...page, items: page.items.map((stored) => presentConfiguration(stored).value()) }
}

/** One of them. Errors: `forbidden`, `not_found`. */
export async function getAccess(
  call: Call,
  { id }: ParsedOf<Access['get']>,
): Promise<Presented<AccessConfiguration>> {
  requirePermission(call, 'admin.access.view')
  return presentConfiguration(await findConfiguration(call, id))
}

/** Errors: `not_found`. */
export async function findConfiguration({ store }: Call, id: string): Promise<Stored<'accessConfiguration'>> {
  const found = await store.records.get('accessConfiguration', id)
  if (!found) throw new QuireError('not_found', `There is no access configuration "${id}".`)
  return found
}
