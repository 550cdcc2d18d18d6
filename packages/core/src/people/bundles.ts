import {
  builtInBundles,
  isPermissionKey,
  permissionCatalogue,
  permissionKeys,
  QuireError,
  type Bundle,
  type Contract,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import type { Grant } from '../engine/access/grants.ts'
import type { Answer, Serialized } from '../engine/answer.ts'
import { type Call } from '../engine/call.ts'
import { pageOf } from '../engine/paging.ts'
import { recordsOf, plainRecord, sentMembers } from '../engine/record-rules.ts'
import type { Stored } from '../ports/index.ts'
import type { BundleRecord } from '../engine/access/records.ts'
import { auditEntry } from './audit.ts'
import { requireGrantable } from './grantable.ts'
import { requireAdministratorLeft } from './last-administrator.ts'

type Bundles = Contract['bundles']

const records = recordsOf({
  kind: 'bundle',
  called: 'bundle',
  events: { created: 'BUNDLE_CREATED', updated: 'BUNDLE_UPDATED', deleted: 'BUNDLE_DELETED' },
  entry: auditEntry('bundle'),
  serialize: bundleJson,
})

const builtIns: readonly Bundle[] = Object.entries(builtInBundles).map(([id, permissions]) => {
  const [, word = ''] = id.split('.')
  const name = `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  return { id, name, description: 'Built in', permissions: [...permissions], isBuiltIn: true }
})

function bundleJson({ id, name, description, permissions }: BundleRecord): Bundle {
  return { id, name, description, permissions: [...permissions], isBuiltIn: false }
}

/** All bundles, including the built-in ones. */
async function list({ store }: Call, input: ParsedOf<Bundles['list']>): Promise<OutputOf<Bundles['list']>> {
  const own = await store.records.list('bundle')
  return pageOf([...builtIns, ...own.map(bundleJson)], input)
}

/** Errors: `not_found`. */
async function get(call: Call, { id }: ParsedOf<Bundles['get']>): Promise<Answer<Bundle>> {
  const builtIn = builtIns.find((bundle) => bundle.id === id)
  return builtIn ?? records.serialize(await findBundle(call, id))
}

/**
 * Creates a bundle. Errors: `forbidden` for permissions that the caller does not hold;
 * `name_taken`.
 */
async function create(call: Call, after: ParsedOf<Bundles['create']>): Promise<Serialized<Bundle>> {
  const { id } = after
  requireGrantable(call, grantsOfBundle(after))
  return call.write(async (call) => {
    if (Object.hasOwn(builtInBundles, id) || (await call.store.records.get('bundle', id)))
      throw new QuireError('name_taken', `There is a bundle "${id}".`, { details: { id } })
    return records.serialize(await records.put(call, { before: null, after }))
  })
}

/**
 * Changes the given members, for every role that includes the bundle. Errors: `not_found`,
 * `forbidden`, `invalid_state` for a built-in one, `last_administrator`, `precondition_failed`.
 */
async function update(
  call: Call,
  { id, ...patch }: ParsedOf<Bundles['update']>,
): Promise<Serialized<Bundle>> {
  return call.write(async (call) => {
    const before = await findBundle(call, id)
    const after: BundleRecord = { ...plainRecord(before), ...sentMembers(patch) }
    requireGrantable(call, [...grantsOfBundle(before), ...grantsOfBundle(after)])
    const follow = () => requireAdministratorLeft(call)
    return records.serialize(await records.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a bundle that no role includes. Errors: `not_found`, `forbidden`, `bundle_in_use`,
 * `invalid_state`, `precondition_failed`.
 */
async function remove(call: Call, { id }: ParsedOf<Bundles['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const bundle = await findBundle(call, id)
    requireGrantable(call, grantsOfBundle(bundle))
    const holders = (await call.store.records.list('role')).filter(({ bundles }) => bundles.includes(id))
    if (holders.length > 0)
      throw new QuireError('bundle_in_use', undefined, { details: { roles: holders.map((role) => role.id) } })
    return records.remove(call, bundle)
  })
}

/** Errors: `not_found`, `precondition_failed`, `invalid_state` for a built-in bundle. */
async function findBundle(call: Call, id: string): Promise<Stored<'bundle'>> {
  if (Object.hasOwn(builtInBundles, id))
    throw new QuireError(
      'invalid_state',
      `The bundle "${id}" is built in and cannot be changed. Create a bundle of your own.`,
    )
  return records.require(call, id)
}

/** The grants of a bundle. */
function grantsOfBundle({ id, permissions }: Pick<Bundle, 'id' | 'permissions'>): readonly Grant[] {
  return permissions.filter(isPermissionKey).map((key) => {
    return { key, scope: { kind: 'global' }, inPackagesOnly: false, roleId: null, via: [], source: id }
  })
}

/** The catalogue of all permissions. */
export async function catalog(): Promise<OutputOf<Contract['permissions']['catalog']>> {
  const items = permissionKeys.map((key) => {
    const { description, scopes } = permissionCatalogue[key]
    return { key, area: key.split('.')[0] ?? key, description, scopes: [...scopes] }
  })
  return { count: items.length, items }
}

/** Permission bundles (specification 5.2.5). */
export const bundles = { list, get, create, update, delete: remove }
