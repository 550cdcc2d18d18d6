import { permissionKeys, type PermissionKey } from '@quire/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { grantsOf } from './grants.ts'
import {
  heldLocales,
  holdsGrant,
  mayCall,
  mayDo,
  mayDoInLocale,
  permissionsOf,
  type Permissions,
} from './permissions.ts'
import type { RoleRecord } from './records.ts'

const keys = ['items.update', 'items.publish', 'items.read'] satisfies PermissionKey[]
const entries = [
  'R1',
  'R1:article',
  'R1@de',
  'R1@DE',
  'R1:article@de',
  'R1:article@fr',
  'R1:note@de',
  'R2@de',
]
const repos = fc.dictionary(fc.constantFrom(...entries), fc.subarray(keys, { minLength: 1 }), { maxKeys: 3 })

function aRole(permissions: RoleRecord['permissions']): RoleRecord {
  return {
    id: 'ROLE_1',
    searchId: 'role_1',
    name: 'Role',
    groups: [],
    users: [],
    repos: [],
    type: 'role',
    description: '',
    bundles: [],
    permissions,
    overrides: { grant: [], revoke: [] },
  }
}

const role = fc.tuple(repos, fc.boolean()).map(([repos, isForPackages]): RoleRecord => ({
  ...aRole({ global: [], repos, sites: {} }),
  ...(isForPackages && { branchOnly: true }),
}))

const accountWith = (most: number) =>
  fc.record({ roles: fc.array(role, { maxLength: most }), branchOnly: fc.boolean() })

interface RandomAccount {
  readonly roles: readonly RoleRecord[]
  readonly branchOnly?: boolean
}

const grantsIn = ({ roles, branchOnly = false }: RandomAccount) =>
  grantsOf({ roles: roles.map((one) => ({ role: one, via: [] })), repos: [], bundles: new Map(), branchOnly })

/** Everything that permissions allow, in all locales and in each. */
function allowedBy(permissions: Permissions): string[] {
  const branches = ['R1', 'R2'].flatMap((repositoryId) =>
    [null, 'PACK_1'].map((packageId) => ({ repositoryId, packageId })),
  )
  const targets = branches.flatMap((branch) => [
    branch,
    ...['article', 'note'].map((type) => ({ ...branch, type })),
  ])
  return keys.flatMap((key) =>
    targets.flatMap((target) => [
      ...(mayDo(permissions, key, target) ? [JSON.stringify([key, target])] : []),
      ...['de', 'fr']
        .filter((locale) => mayDoInLocale(permissions, key, { ...target, locale }))
        .map((locale) => JSON.stringify([key, target, locale])),
    ]),
  )
}

it('who may make an account gains nothing by being it too, and who may not would gain', () => {
  fc.assert(
    fc.property(accountWith(2), accountWith(1), (own, made) => {
      const held = permissionsOf([], grantsIn(own))
      const both = permissionsOf([], [...grantsIn(own), ...grantsIn(made)])
      const mayGrant = grantsIn(made).every((grant) => holdsGrant(held, grant))
      expect(allowedBy(both).length === allowedBy(held).length).toBe(mayGrant)
    }),
    { numRuns: 2000 },
  )
})

it('an entry for a locale gives two keys there, and no other key anywhere', () => {
  const all: RoleRecord['permissions'] = { global: [], repos: { 'R1@de': [...permissionKeys] }, sites: {} }
  const permissions = permissionsOf([], grantsIn({ roles: [aRole(all)] }))
  const target = { repositoryId: 'R1', type: 'article' }
  const limited = permissionKeys.filter((key) => mayDoInLocale(permissions, key, { ...target, locale: 'de' }))
  expect(limited.toSorted()).toEqual(['items.publish', 'items.update'])
  expect(permissionKeys.filter((key) => mayDo(permissions, key, target))).toEqual([])
  expect(mayDo(permissions, 'items.update', { repositoryId: 'R1@de' })).toBe(false)
  expect(mayDo(permissions, 'items.update', { repositoryId: 'R1', type: 'article@de' })).toBe(false)
  const on = { key: 'items.update', on: 'item', to: 'change' } as const
  expect([mayCall(permissions, on), mayCall(permissions, { ...on, byLocale: true })]).toEqual([false, true])
})

it('counts in the locales that the repository has', () => {
  const permissions = permissionsOf([], grantsIn({ roles: [] }))
  const locale = (code: string) => ({ code, name: code, fallback: null, direction: 'ltr' as const })
  const locales = { default: 'en', list: ['en', 'fr'].map(locale) }
  const german = new Map([['de', new Map([['R1', new Set<PermissionKey>(['items.update'])]])]])
  const held = { ...permissions, inLocales: german }
  expect(heldLocales(held, 'items.update', { repositoryId: 'R1', locales })).toEqual([])
  expect(heldLocales(held, 'items.update', { repositoryId: 'R1', locales: null })).toEqual([])
  const more = { ...locales, list: [...locales.list, locale('de')] }
  expect(heldLocales(held, 'items.update', { repositoryId: 'R1', locales: more })).toEqual(['de'])
})
