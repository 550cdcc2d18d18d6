import {
  permissionKeys,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type PermissionKey,
  type Repository,
} from '@quire/contract'
import {
  grantsOf,
  grantsOfRole,
  parseRightsEntry,
  withheldBundles,
  type Grant,
  type RightsEntry,
} from '../../engine/access/grants.ts'
import { holdingsOf, type HeldRole, type Holder, type Holdings } from '../../engine/access/holdings.ts'
import { permissionsFrom } from '../../engine/access/identity.ts'
import {
  isBranchOnly,
  mayDo,
  mayDoInLocale,
  permissionsOf,
  type HeldKeys,
  type LocaleTarget,
  type Permissions,
  type Target,
} from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { byIdOrName } from '../../engine/scope.ts'

export type EffectivePermissions = OutputOf<Contract['auth']['myPermissions']>

/** The permission to explain, and where. */
export type ExplainInput = ParsedOf<Contract['auth']['myPermissions']>

type Explanation = NonNullable<EffectivePermissions['explanation']>

/**
 * The current permissions of an account. For one key, also which role, group, bundle, entry or
 * revoke grants or withholds it.
 */
export async function explainPermissions(
  call: Call,
  account: Holder & { readonly name: string },
  input: ExplainInput,
): Promise<EffectivePermissions> {
  const holdings = await holdingsOf(call.store.records, account)
  const grants = grantsOf(holdings)
  const permissions = permissionsFrom(holdings)
  const { kind, id, name } = account
  const answer = { identity: { kind, id, name }, ...serializePermissions(permissions) }
  if (input.explain === undefined) return answer
  const key = input.explain
  const target = await targetOf(call, input)
  const inPackage = { ...target, packageId: 'any' }
  const given = grants.filter((grant) => isHeld(permissionsOf([], [grant]), key, inPackage))
  const explanation: Explanation = {
    key,
    allowed: isHeld(permissions, key, target),
    allowedInPackages: isHeld(permissions, key, inPackage),
    grants: given.map(({ roleId: role, via, source, inPackagesOnly }) => {
      return { role, via: [...via], source, inPackagesOnly }
    }),
    withheld: [
      ...holdings.roles.flatMap(({ role }) =>
        withheldBundles(role, key, holdings.bundles).map((source) => ({ role: role.id, source })),
      ),
      ...limitedBy(holdings, (all) => isHeld(permissionsOf([], all), key, target)).map((role) => {
        return { role, source: 'branchOnly' }
      }),
    ],
  }
  return { ...answer, explanation }
}

function isHeld(permissions: Permissions, key: PermissionKey, target: Target | LocaleTarget): boolean {
  return isInLocale(target) ? mayDoInLocale(permissions, key, target) : mayDo(permissions, key, target)
}

/**
 * The ids of the roles whose `branchOnly` takes something away that they would grant, and null if
 * that of the account does. `isEnough`: whether these grants give it.
 */
function limitedBy(
  { roles, ...holdings }: Holdings,
  isEnough: (grants: readonly Grant[]) => boolean,
): readonly (string | null)[] {
  const unlimited = (held: HeldRole) => ({ ...held, role: { ...held.role, branchOnly: false } })
  const isLimiting = (held: HeldRole) => {
    const given = (one: HeldRole) => isEnough(grantsOfRole(one, holdings.bundles))
    return given(unlimited(held)) && !given(held)
  }
  const all = { ...holdings, roles: roles.map(unlimited) }
  const isLimitedByAccount = isEnough(grantsOf({ ...all, branchOnly: false })) && !isEnough(grantsOf(all))
  return [...roles.filter(isLimiting).map(({ role }) => role.id), ...(isLimitedByAccount ? [null] : [])]
}

export function serializePermissions(
  permissions: Permissions,
): Pick<EffectivePermissions, 'roles' | 'global' | 'repos' | 'sites' | 'branchOnly' | 'inPackages'> {
  const { roles, inPackages } = permissions
  return {
    roles: roles === 'all' ? [] : [...roles].toSorted(),
    ...serializeKeys(permissions),
    branchOnly: isBranchOnly(permissions),
    inPackages: serializeKeys(inPackages),
  }
}

function serializeKeys({
  global,
  repos,
  sites,
  inLocales,
}: HeldKeys): Pick<EffectivePermissions, 'global' | 'repos' | 'sites'> {
  const byName = (keys: ReadonlyMap<string, ReadonlySet<PermissionKey>>) =>
    Object.fromEntries([...keys].map(([name, held]) => [name, [...held].toSorted()]))
  const limited = [...inLocales].flatMap(([locale, byEntry]) =>
    [...byEntry].map(([name, held]) => [`${name}@${locale}`, held] as const),
  )
  return {
    global: global === 'all' ? [...permissionKeys] : permissionKeys.filter((key) => global.has(key)),
    repos: byName(new Map([...repos, ...limited])),
    sites: byName(sites),
  }
}

function isInLocale(target: Target | LocaleTarget): target is LocaleTarget {
  return 'locale' in target
}

/**
 * `repo` names a repository by id or name, optionally with one of its content types after a colon and
 * a locale after an at sign. A locale that the repository does not have grants nothing.
 */
async function targetOf(call: Call, { repo, site }: ExplainInput): Promise<Target | LocaleTarget> {
  const entry = parseRightsEntry(repo ?? '')
  const ref = entry?.repositoryId ?? repo
  const repository = ref === undefined ? null : await byIdOrName(call.store.records, 'repository', ref)
  return {
    ...(ref !== undefined && { repositoryId: repository?.id ?? ref }),
    ...(entry && entry.type !== null && { type: entry.type }),
    ...(site !== undefined && { siteId: site }),
    ...localeOf(entry, repository),
  }
}

/** The locale of an entry, if it grants something: in a repository that has it, or is yet to be created. */
function localeOf(
  entry: RightsEntry | null,
  repository: Pick<Repository, 'settings'> | null,
): Pick<LocaleTarget, 'locale'> | null {
  const locale = entry?.locale ?? null
  if (locale === null) return null
  const { list = [] } = repository?.settings.locales ?? {}
  return !repository || list.some(({ code }) => code === locale) ? { locale } : null
}
