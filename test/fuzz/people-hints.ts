import type { Hinting, Hints } from './hinting.ts'
import type { Known } from './pool.ts'

/** Hints for users, groups and bundles, and for their permissions. */
export const userHints: Hints = {
  id: ({ operation, random, pool }) =>
    operation.id === 'users.create'
      ? `user-${random.below(300)}@example.org`
      : ofMethod(pool.users)({ operation, random }),
  name: ({ random }) => `User ${random.below(300)}`,
  roles: roleList,
  groups: groupList,
  repos: () => [],
  type: () => 'user',
  enabled: ({ random }) => random.chance(0.8),
  repo: ({ pool }) => pool.magazine,
  view: ({ random }) => ({ defaultView: random.pick(['grid', 'list']) }),
  tableColumns: () => ['name'],
  recentRepositories: () => [],
  recentSites: () => [],
  detailPaneColumns: ({ random }) => random.below(7),
}

export const groupHints: Hints = {
  id: ({ operation, random, pool }) => ofMethod(pool.groups)({ operation, random }),
  name: ({ random }) => `Group ${random.below(300)}`,
  roles: roleList,
  groups: groupList,
  users: ({ random, pool }) => random.pick([[], [pool.users.pick(random) ?? 'nobody@example.org']]),
  repos: () => [],
  type: () => 'group',
}

export const bundleHints: Hints = {
  id: ({ operation, random, pool }) =>
    operation.id === 'bundles.create'
      ? `bundle.own-${random.below(300)}`
      : ofMethod(pool.bundles)({ operation, random }),
  name: ({ random }) => `Bundle ${random.below(300)}`,
  permissions: ({ random }) => random.pick([[], ['items.read'], ['items.read', 'items.update']]),
}

export const infoHints: Hints = {
  id: ({ operation, random, pool }) => {
    if (operation.id === 'security.userInfo') return pool.users.pick(random)
    if (operation.id === 'security.groupInfo') return pool.groups.pick(random)
    return (operation.id === 'security.roleInfo' ? pool.roles : pool.accounts).pick(random)
  },
}

/** Reads may use any entity. Updates and deletes use only expendable ones. */
function ofMethod(known: Known<string>) {
  return ({ operation, random }: Pick<Hinting, 'operation' | 'random'>) =>
    operation.method === 'GET' ? known.pick(random) : (known.pickExpendable(random) ?? 'nothing-yet')
}

function roleList({ random, pool }: Hinting): string[] {
  return random.pick([[], [pool.roles.pick(random) ?? 'ROLE_1']]) ?? []
}

function groupList({ random, pool }: Hinting): string[] {
  return random.pick([[], [pool.groups.pick(random) ?? 'GRUP_1']]) ?? []
}
