import { permissionKeys } from '@quire/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoleRecord } from './records.ts'
import {
  grantsOf,
  grantsOfRole,
  withheldBundles,
  type Grant,
  branchReachOf,
  rightsEntryText,
} from './grants.ts'
import { bundlesOf, holdingsOf } from './holdings.ts'
import { permissionsFrom } from './identity.ts'
import {
  allPermissions,
  holdsGrant,
  isAdministrator,
  isBranchOnly,
  isWhole,
  mayDo,
  mayDoSomewhere,
  noPermissions,
  permissionsOf,
  readerFor,
} from './permissions.ts'
import { letsThrough } from './role-lists.ts'

const key = fc.constantFrom(...permissionKeys)
const keys = fc.array(key, { maxLength: 3 })
const rights = fc.record({
  bundles: fc.array(fc.constantFrom('bundle.viewer', 'bundle.contributor', 'bundle.publisher'), {
    maxLength: 2,
  }),
  permissions: fc.record({
    global: keys,
    repos: fc.dictionary(fc.constantFrom('R1', 'R2', 'R1:article'), keys),
    sites: fc.dictionary(fc.constantFrom('S1'), keys),
  }),
  overrides: fc.record({ grant: keys, revoke: keys }),
})

const bundles = await bundlesOf({ list: async () => [] } as unknown as Parameters<typeof bundlesOf>[0])

let count = 0
function aRole(members: Partial<RoleRecord>): RoleRecord {
  count += 1
  const id = members.id ?? `ROLE_${count}`
  return {
    id,
    searchId: id.toLowerCase(),
    name: id,
    groups: [],
    users: [],
    repos: [],
    type: 'role',
    description: '',
    bundles: [],
    permissions: { global: [], repos: {}, sites: {} },
    overrides: { grant: [], revoke: [] },
    ...members,
  }
}

const permissionsBy = (roles: readonly RoleRecord[]) =>
  permissionsOf(
    roles.map(({ id }) => id),
    roles.flatMap((role) => grantsOfRole({ role, via: [] }, bundles)),
  )

describe('effective permissions', () => {
  it('hold a key exactly when some grant of some role gives it there', () => {
    fc.assert(
      fc.property(fc.array(rights.map(aRole), { maxLength: 4 }), key, (roles, wanted) => {
        const grants = roles
          .flatMap((role) => grantsOfRole({ role, via: [] }, bundles))
          .filter((grant) => grant.key === wanted)
        const given = grants.some(
          ({ scope }) =>
            scope.kind === 'global' ||
            (scope.kind === 'repo' && ['R1', 'R1:article'].includes(rightsEntryText(scope.entry))),
        )
        return mayDo(permissionsBy(roles), wanted, { repositoryId: 'R1', type: 'article' }) === given
      }),
    )
  })

  it('are the union over roles: another role never takes a key away', () => {
    fc.assert(
      fc.property(rights.map(aRole), rights.map(aRole), key, (one, other, wanted) => {
        const alone = mayDo(permissionsBy([one]), wanted)
        return !alone || mayDo(permissionsBy([one, other]), wanted)
      }),
    )
  })

  it('lose a revoked key from bundles only', () => {
    const revoke = { grant: [], revoke: ['items.read'] }
    const bundled = aRole({ bundles: ['bundle.viewer'], overrides: revoke })
    expect(mayDo(permissionsBy([bundled]), 'items.read')).toBe(false)
    expect(withheldBundles(bundled, 'items.read', bundles)).toEqual(['bundle.viewer'])
    const stated = aRole({
      bundles: ['bundle.viewer'],
      overrides: revoke,
      permissions: { global: ['items.read'], repos: {}, sites: {} },
    })
    expect(mayDo(permissionsBy([stated]), 'items.read')).toBe(true)
  })

  it('read legacy entries as keys of that repository', () => {
    const role = aRole({ repos: [{ CACHE_ROOT: 'x', id: 'R1', permission: 'view' }] })
    expect(mayDo(permissionsBy([role]), 'items.read', { repositoryId: 'R1' })).toBe(true)
    expect(mayDo(permissionsBy([role]), 'items.read', { repositoryId: 'R2' })).toBe(false)
    expect(mayDo(permissionsBy([role]), 'items.create', { repositoryId: 'R1' })).toBe(false)
  })

  it('give a reader of one type that type only', () => {
    const role = aRole({ permissions: { global: [], repos: { 'R1:article': ['items.read'] }, sites: {} } })
    expect(readerFor(permissionsBy([role]), 'items.read', 'R1')).toEqual({
      types: ['article'],
      roles: [role.id],
    })
    expect(readerFor(permissionsBy([role]), 'items.read', 'R2').types).toEqual([])
    expect(readerFor(noPermissions, 'items.read', 'R1')).toEqual({ types: [], roles: [] })
  })

  it('pass role lists that are empty or hold a role of the caller', () => {
    const role = aRole({})
    const passes = (roles: string[]) => letsThrough(permissionsBy([role]), { repositoryId: 'R1', roles })
    expect([[], [role.id], ['ROLE_other', role.id], ['ROLE_other']].map(passes)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('pass all role lists of a repository in which every key is held', () => {
    const everything = aRole({ bundles: ['bundle.administrator'] })
    const there = aRole({
      bundles: ['bundle.administrator'],
      overrides: { grant: [], revoke: ['items.read'] },
      permissions: { global: [], repos: { R1: ['items.read'] }, sites: {} },
    })
    const nearly = aRole({
      bundles: ['bundle.administrator'],
      overrides: { grant: [], revoke: ['items.read'] },
    })
    const wholeIn = (role: RoleRecord) => ['R1', 'R2'].map((id) => isWhole(permissionsBy([role]), id))
    const developer = aRole({ bundles: ['bundle.developer'] })
    expect([there, everything, nearly, developer].map(wholeIn)).toEqual([
      [true, false],
      [true, true],
      [false, false],
      [false, false],
    ])
    expect(letsThrough(permissionsBy([there]), { repositoryId: 'R1', roles: ['ROLE_other'] })).toBe(true)
    expect(readerFor(permissionsBy([there]), 'items.read', 'R1').roles).toBe('all')
  })
})

describe('a role that is branchOnly', () => {
  const main = { repositoryId: 'R1', packageId: null, type: 'article' }
  const inPackage = { ...main, packageId: 'PACK_1' }

  it('gives each key where it may apply, and never more than the same role without branchOnly', () => {
    fc.assert(
      fc.property(rights.map(aRole), key, (role, wanted) => {
        const [plain, limited] = [role, { ...role, branchOnly: true }].map((one) => permissionsBy([one]))
        if (!plain || !limited) throw new Error('both are there')
        const held = mayDo(plain, wanted, main)
        const reach = branchReachOf(wanted)
        expect(mayDo(limited, wanted, main)).toBe(held && reach === 'everywhere')
        expect(mayDo(limited, wanted, inPackage)).toBe(held && reach !== 'nowhere')
        expect(mayDoSomewhere(limited, wanted)).toBe(mayDoSomewhere(plain, wanted) && reach !== 'nowhere')
        expect(limited.whole).toEqual(new Set())
      }),
    )
  })

  it('takes nothing away that another role gives on main', () => {
    const editor = aRole({ bundles: ['bundle.editor'] })
    const both = permissionsBy([editor, { ...editor, id: 'ROLE_limited', branchOnly: true }])
    expect(mayDo(both, 'items.update', main)).toBe(true)
  })

  it('lets its holders grant for packages only, and holders of the key on main grant both', () => {
    const editor = aRole({ bundles: ['bundle.editor'] })
    const limited = { ...editor, branchOnly: true }
    const may = (holder: RoleRecord, given: RoleRecord) =>
      grantsOfRole({ role: given, via: [] }, bundles).every((grant) =>
        holdsGrant(permissionsBy([holder]), grant),
      )
    expect([may(limited, limited), may(limited, editor), may(editor, limited)]).toEqual([true, false, true])
  })
})

describe('a caller is branchOnly', () => {
  const inLocale = { global: [], repos: { 'R1@de': ['items.update'] }, sites: {} }

  it('with any role that is branchOnly and grants something, and with no key of main', () => {
    fc.assert(
      fc.property(rights.map(aRole), (role) => {
        const limited = { ...role, branchOnly: true }
        const grants = grantsOfRole({ role: limited, via: [] }, bundles)
        expect(isBranchOnly(permissionsBy([limited]))).toBe(grants.length > 0)
      }),
    )
  })

  it.each([
    ['nothing', noPermissions, false],
    ['the process itself', allPermissions, false],
    ['a viewer', permissionsBy([aRole({ bundles: ['bundle.viewer'] })]), true],
    ['a contributor', permissionsBy([aRole({ bundles: ['bundle.contributor'] })]), false],
    ['a translator on main', permissionsBy([aRole({ permissions: inLocale })]), false],
    ['a translator in packages', permissionsBy([aRole({ permissions: inLocale, branchOnly: true })]), true],
    [
      'a publisher of one site',
      permissionsBy([aRole({ permissions: { global: [], repos: {}, sites: { S1: ['sites.publish'] } } })]),
      false,
    ],
  ])('%s', (_, permissions, expected) => {
    expect(isBranchOnly(permissions)).toBe(expected)
  })
})

describe('an entry for a locale', () => {
  it('grants nothing beyond that locale', () => {
    const role = aRole({
      permissions: {
        global: [],
        repos: { 'R1@de': ['items.update'], 'R1:article@de': ['items.read'] },
        sites: {},
      },
    })
    const permissions = permissionsBy([role])
    expect(mayDo(permissions, 'items.update', { repositoryId: 'R1', type: 'article' })).toBe(false)
    expect(readerFor(permissions, 'items.read', 'R1').types).toEqual([])
  })
})

describe('the roles of an account', () => {
  const rolesOf = async (records: unknown, holder: Parameters<typeof holdingsOf>[1]) =>
    (await holdingsOf(records as Parameters<typeof holdingsOf>[0], holder)).roles

  const account = {
    kind: 'service' as const,
    id: 'SVCA_1',
    roles: [],
    groups: ['A'],
    repos: [],
    branchOnly: false,
  }
  const aGroup = (id: string, groups: string[], roles: string[] = []) => ({
    id,
    searchId: id,
    name: id,
    groups,
    users: [],
    roles,
    repos: [],
  })
  const records = (roles: RoleRecord[], groups: ReturnType<typeof aGroup>[]) => ({
    list: async (kind: string) => (kind === 'role' ? roles : kind === 'group' ? groups : []),
  })

  it('come through groups of groups, by the shortest path, even with cycles', async () => {
    const role = aRole({ id: 'ROLE_deep' })
    const groups = [aGroup('A', ['B']), aGroup('B', ['C', 'A']), aGroup('C', ['B'], ['ROLE_deep'])]
    const held = await rolesOf(records([role], groups), account)
    expect(held).toEqual([{ role, via: ['A', 'B', 'C'] }])
  })

  it('come from roles that name the group', async () => {
    const role = aRole({ groups: ['B'] })
    const held = await rolesOf(records([role], [aGroup('A', ['B']), aGroup('B', [])]), account)
    expect(held).toEqual([{ role, via: ['A', 'B'] }])
  })
})

interface Graph {
  readonly roles: readonly RoleRecord[]
  readonly groups: readonly {
    readonly id: string
    readonly groups: readonly string[]
    readonly roles: readonly string[]
  }[]
  readonly account: { readonly roles: readonly string[]; readonly groups: readonly string[] }
}

/**
 * Whether the path of a grant leads from the account through its groups to the role that gives it.
 */
function isWayTo({ via, roleId }: Grant, { roles, groups, account }: Graph): boolean {
  const [first] = via
  if (first !== undefined && !account.groups.includes(first)) return false
  const named = (id: string | undefined) => groups.find((group) => group.id === id)
  const isLinked = via.slice(1).every((id, index) => named(via[index])?.groups.includes(id) === true)
  if (!isLinked || roleId === null) return isLinked
  const last = named(via.at(-1))
  if (!last) return account.roles.includes(roleId)
  return (
    last.roles.includes(roleId) || roles.some((role) => role.id === roleId && role.groups.includes(last.id))
  )
}

describe('an account that is branchOnly', () => {
  const legacy = { CACHE_ROOT: 'x', id: 'R1', permission: 'admin' as const }
  const given = fc.record({
    roles: fc.array(fc.tuple(rights.map(aRole), fc.boolean()), { maxLength: 3 }),
    hasEntry: fc.boolean(),
  })

  it('holds each key where it may apply, whatever gives it, and is never an administrator', () => {
    fc.assert(
      fc.property(given, key, ({ roles, hasEntry }, wanted) => {
        const held = roles.map(([role, branchOnly]) => ({ role: { ...role, branchOnly }, via: [] }))
        const repos = hasEntry ? [{ repos: [legacy], via: ['GROUP'] }] : []
        const [plain, limited] = [false, true].map((branchOnly) =>
          permissionsFrom({ roles: held, repos, bundles, branchOnly }),
        )
        if (!plain || !limited) throw new Error('both are there')
        const main = { repositoryId: 'R1', packageId: null, type: 'article' }
        const inPackage = { ...main, packageId: 'PACK_1' }
        const reach = branchReachOf(wanted)
        expect(mayDo(limited, wanted, main)).toBe(mayDo(plain, wanted, main) && reach === 'everywhere')
        expect(mayDo(limited, wanted, inPackage)).toBe(mayDo(plain, wanted, inPackage) && reach !== 'nowhere')
        expect([limited.whole, isAdministrator(limited)]).toEqual([new Set(), false])
        const holdsAny = permissionKeys.some((one) => mayDoSomewhere(limited, one))
        expect(isBranchOnly(limited)).toBe(holdsAny)
      }),
    )
  })
})

describe('an explanation of random role graphs', () => {
  const ids = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index}`)
  const roleIds = ids('ROLE_', 5)
  const groupIds = ids('GRUP_', 5)
  const some = (all: readonly string[]) => fc.subarray([...all], { maxLength: 3 })
  const legacy = fc.array(
    fc.record({
      CACHE_ROOT: fc.constant('x'),
      id: fc.constantFrom('R1', 'R2'),
      permission: fc.constantFrom('view' as const, 'write' as const, 'admin' as const),
    }),
    { maxLength: 1 },
  )
  const graph = fc.record({
    roles: fc.tuple(
      ...roleIds.map((id) =>
        fc
          .tuple(rights, some(groupIds), legacy)
          .map(([given, groups, repos]) => aRole({ ...given, id, groups, repos })),
      ),
    ),
    groups: fc.tuple(
      ...groupIds.map((id) =>
        fc
          .record({ groups: some(groupIds), roles: some(roleIds), repos: legacy })
          .map((members) => ({ ...members, id, searchId: id, name: id, users: [] })),
      ),
    ),
    account: fc.record({
      roles: some(roleIds),
      groups: some(groupIds),
      repos: legacy,
      branchOnly: fc.boolean(),
    }),
    key,
    target: fc.constantFrom(
      {},
      { repositoryId: 'R1' },
      { repositoryId: 'R1', type: 'article' },
      { siteId: 'S1' },
    ),
  })

  it('names every grant of the key: each one is enough, and without them nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async ({ roles, groups, account, key: wanted, target }) => {
        const store = {
          list: async (kind: string) => (kind === 'role' ? roles : kind === 'group' ? groups : []),
        }
        const holder = { kind: 'service' as const, id: 'SVCA_1', ...account }
        const holdings = await holdingsOf(store as unknown as Parameters<typeof holdingsOf>[0], holder)
        const grants = grantsOf(holdings)
        const allowed = mayDo(permissionsOf([], grants), wanted, target)
        const giving = grants.filter(
          (grant) => grant.key === wanted && mayDo(permissionsOf([], [grant]), wanted, target),
        )
        expect(giving.length > 0).toBe(allowed)
        const others = grants.filter((grant) => !giving.includes(grant))
        expect(mayDo(permissionsOf([], others), wanted, target)).toBe(false)
        for (const grant of giving) expect(isWayTo(grant, { roles, groups, account })).toBe(true)
      }),
    )
  })
})
