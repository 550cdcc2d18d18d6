import {
  permissionCatalogue,
  permissionKeys,
  type Bundle,
  type Contract,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import type { Answer } from '../../call/answer.ts'
import type { Call } from '../../call/call.ts'
import { pageOf } from '../../call/paging.ts'
import { builtIns, findBundle, presentBundle, showBundle } from './find.ts'

type Bundles = Contract['bundles']

/** All bundles, the built-in ones too. */
export async function listBundles(
  call: Call,
  input: ParsedOf<Bundles['list']>,
): Promise<OutputOf<Bundles['list']>> {
  const made = await call.store.records.list('bundle')
  return pageOf([...builtIns, ...made.map(showBundle)], input)
}

/** One bundle. Errors: `not_found`. */
export async function getBundle(call: Call, { id }: ParsedOf<Bundles['get']>): Promise<Answer<Bundle>> {
  const builtIn = builtIns.find((bundle) => bundle.id === id)
  return builtIn ?? presentBundle(await findBundle(call, call.store.records, id))
}

/** The permission catalogue. */
export async function catalog(): Promise<OutputOf<Contract['permissions']['catalog']>> {
  const items = permissionKeys.map((key) => {
    const { description, scopes } = permissionCatalogue[key]
    return { key, area: key.split('.')[0] ?? key, description, scopes: [...scopes] }
  })
  return { count: items.length, items }
}
