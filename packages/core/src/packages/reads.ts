import type { Contract, OutputOf, Package, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import { openPackage, presentPackage } from './record.ts'

type Group = Contract['packages']

/** The packages of a repository by id, deleted ones only when asked for. Errors: `not_found`, `forbidden`. */
export async function listPackages(
  call: Call,
  { repo, state, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, repo)
  requirePermission(call, 'packages.view', { repositoryId })
  const all = await call.store.records.list('package')
  const wanted = all.filter(
    (found) =>
      found.repositoryId === repositoryId &&
      (state === undefined ? found.state !== 'deleted' : found.state === state),
  )
  const { items, ...rest } = pageOf(wanted, page)
  return { ...rest, items: items.map(plainRecord) }
}

/** One package. Errors: `not_found`. */
export async function getPackage(call: Call, ref: ParsedOf<Group['get']>): Promise<Presented<Package>> {
  const { package: found } = await openPackage(call, ref, 'packages.view')
  return presentPackage(found)
}
