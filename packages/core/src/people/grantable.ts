import { isPermissionKey, QuireError, type Issue, type Role } from '@quire/contract'
import { grantsOf, grantsOfRole, type Grant, parseRightsEntry } from '../engine/access/grants.ts'
import { bundlesOf, holdingsOf, type Bundles, type Holder } from '../engine/access/holdings.ts'
import { holdsGrant, isAdministrator } from '../engine/access/permissions.ts'
import type { Call } from '../engine/call.ts'
import { invalid } from '../engine/check-input.ts'
import type { RecordReader } from '../ports/index.ts'

/**
 * Nobody grants what they do not hold (DESIGN "Security"; TRUST S04).
 * Errors: `forbidden` naming the first key that the caller lacks at the scope of the grant.
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

/** The same of all that some roles give. */
export async function requireGrantableRoles(
  call: Call,
  records: RecordReader,
  roles: readonly Role[],
): Promise<void> {
  const bundles = await bundlesOf(records)
  requireGrantable(
    call,
    roles.flatMap((role) => grantsOfRole({ role, via: [] }, bundles)),
  )
}

/**
 * Everything that somebody's roles, groups and entries give must be the caller's to give.
 * Errors: `forbidden`; `invalid` naming a role, group or user that does not exist.
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

/** Errors: `invalid` naming each id that stands for nothing. */
export async function requireExisting(
  records: RecordReader,
  wanted: { readonly [K in 'role' | 'group' | 'user']?: readonly string[] },
): Promise<void> {
  const issues: Issue[] = []
  for (const [kind, ids] of Object.entries(wanted) as ['role' | 'group' | 'user', readonly string[]][]) {
    for (const [index, id] of ids.entries()) {
      if (await records.get(kind, id)) continue
      issues.push({ path: `${kind}s.${index}`, message: `there is no ${kind} "${id}"` })
    }
  }
  if (issues.length > 0) throw invalid(issues)
}

/**
 * Whoever gives a role away gives its place in the role lists of items too, which no key tells of: the caller must have the role,
 * or every key. Errors: `forbidden` naming the role.
 */
export function requireMembership(call: Call, roles: readonly Role[]): void {
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

/** Errors: `invalid` for keys, bundles and entries that mean nothing: a typing error would otherwise grant nothing, silently. */
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
      ...entryIssues(`permissions.repos.${name}`, name),
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

function entryIssues(path: string, text: string): Issue[] {
  const entry = parseRightsEntry(text)
  if (!entry) return [unknown(path, text, 'repository id, nor `<repositoryId>:<typeName>`')]
  if (entry.locale === null) return []
  return [{ path, message: `"${text}" names a locale: repositories have none yet` }]
}

function unknownKeys(path: string, keys: readonly string[]): Issue[] {
  return keys.flatMap((key, index) =>
    isPermissionKey(key) ? [] : [unknown(`${path}.${index}`, key, 'permission key')],
  )
}

function unknown(path: string, name: string, what: string): Issue {
  return { path, message: `"${name}" is no ${what}` }
}
