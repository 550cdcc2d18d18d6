import {
  isPermissionKey,
  permissionCatalogue,
  permissionKeys,
  QuireError,
  type Issue,
  type PermissionScope,
  type Role,
} from '@quire/contract'
import { grantsOf, grantsOfRole, type Grant, parseRightsEntry } from '../engine/access/grants.ts'
import { bundlesOf, holdingsOf, type Bundles, type Holder } from '../engine/access/holdings.ts'
import { holdsGrant, isAdministrator } from '../engine/access/permissions.ts'
import type { RoleRecord } from '../engine/access/records.ts'
import type { Call } from '../engine/call.ts'
import { invalid } from '../engine/check-input.ts'
import type { RecordReader } from '../ports/index.ts'

/**
 * Nobody can grant a permission that they do not hold (DESIGN "Security"; TRUST S04). Errors:
 * `forbidden` naming the first permission that the caller does not hold in the scope of the grant.
 */
export function requireGrantable(call: Call, grants: readonly Grant[]): void {
  for (const grant of grants) {
    if (!holdsGrant(call.identity.permissions, grant)) {
      throw new QuireError('forbidden', `You cannot grant ${grant.key}: you do not hold it there yourself.`, {
        details: { permission: grant.key, source: grant.source },
      })
    }
  }
}

/** Requires that the caller may grant all permissions of the roles. Errors: `forbidden`. */
export async function requireGrantableRoles(
  call: Call,
  records: RecordReader,
  roles: readonly RoleRecord[],
): Promise<void> {
  const bundles = await bundlesOf(records)
  requireGrantable(
    call,
    roles.flatMap((role) => grantsOfRole({ role, via: [] }, bundles)),
  )
}

/**
 * Requires that the caller may grant everything that an account holds by its roles, groups and
 * entries. Errors: `forbidden`; `invalid` naming a role or group that does not exist.
 */
export async function requireAssignable(call: Call, records: RecordReader, holder: Holder): Promise<void> {
  await requireExisting(records, { role: holder.roles, group: holder.groups })
  const holdings = await holdingsOf(records, holder)
  requireGrantable(call, grantsOf(holdings))
  requireMembership(
    call,
    holdings.roles.map(({ role }) => role),
  )
}

/** Errors: `invalid` naming each id that does not exist. */
export async function requireExisting(
  records: RecordReader,
  idsByKind: { readonly [K in 'role' | 'group' | 'user']?: readonly string[] },
): Promise<void> {
  const issues: Issue[] = []
  for (const [kind, ids] of Object.entries(idsByKind) as ['role' | 'group' | 'user', readonly string[]][]) {
    for (const [index, id] of ids.entries()) {
      if (await records.get(kind, id)) continue
      issues.push({ path: `${kind}s.${index}`, message: `there is no ${kind} "${id}"` })
    }
  }
  if (issues.length > 0) throw invalid(issues)
}

/**
 * Requires that the caller has the roles, or every permission. A role also grants access by the
 * role lists of items, which permissions do not show. Errors: `forbidden` naming the role.
 */
export function requireMembership(call: Call, roles: readonly Pick<Role, 'id' | 'name'>[]): void {
  const { permissions } = call.identity
  if (isAdministrator(permissions)) return
  const foreign = roles.find(({ id }) => permissions.roles !== 'all' && !permissions.roles.has(id))
  if (!foreign) return
  throw new QuireError(
    'forbidden',
    `You cannot give the role "${foreign.name}": you do not have it yourself.`,
    {
      details: { role: foreign.id },
    },
  )
}

/**
 * Errors: `invalid` for unknown permissions, bundles and entries. Otherwise, a typing error would
 * silently grant nothing.
 */
export function requireKnownKeys(
  role: Pick<Role, 'bundles' | 'permissions' | 'overrides'>,
  known: Bundles,
): void {
  const { bundles, permissions, overrides } = role
  const issues = [
    ...bundles.flatMap((bundle, index) =>
      known.has(bundle) ? [] : [unknown(`bundles.${index}`, bundle, 'bundle')],
    ),
    ...unknownKeys('permissions.global', permissions.global),
    ...Object.entries(permissions.repos).flatMap(([name, keys]) => [
      ...entryIssues(`permissions.repos.${name}`, { text: name, keys }),
      ...unknownKeys(`permissions.repos.${name}`, keys),
    ]),
    ...Object.entries(permissions.sites).flatMap(([name, keys]) =>
      unknownKeys(`permissions.sites.${name}`, keys),
    ),
    ...unknownKeys('overrides.grant', overrides.grant),
    ...unknownKeys('overrides.revoke', overrides.revoke),
  ]
  if (issues.length > 0) throw invalid(issues)
}

/** An entry of a role's rights, as it is sent. */
interface SentEntry {
  readonly text: string
  readonly keys: readonly string[]
}

function entryIssues(path: string, { text, keys }: SentEntry): Issue[] {
  const entry = parseRightsEntry(text)
  if (!entry) return [{ path, message: `"${text}" is not \`<repositoryId>[:<typeName>][@<locale>]\`` }]
  if (entry.locale === null) return []
  const message = `cannot be limited to a locale: only ${[...limitedByLocale].join(' and ')} can`
  return keys.flatMap((key, index) =>
    isPermissionKey(key) && !limitedByLocale.has(key)
      ? [{ path: `${path}.${index}`, message: `"${key}" ${message}` }]
      : [],
  )
}

const limitedByLocale: ReadonlySet<string> = new Set(
  permissionKeys.filter((key) => {
    const scopes: readonly PermissionScope[] = permissionCatalogue[key].scopes
    return scopes.includes('locale')
  }),
)

function unknownKeys(path: string, keys: readonly string[]): Issue[] {
  return keys.flatMap((key, index) =>
    isPermissionKey(key) ? [] : [unknown(`${path}.${index}`, key, 'permission key')],
  )
}

function unknown(path: string, name: string, what: string): Issue {
  return { path, message: `"${name}" is not a known ${what}` }
}
