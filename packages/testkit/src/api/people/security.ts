import { describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { newAccount, type Bench } from '../host.ts'

const gone = 'ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T'

/** Roles and service accounts: nobody can grant what they do not hold. */
export function securityTests(bench: () => Bench): void {
  describe('roles', () => {
    it('creates, lists, changes and deletes', async () => {
      const { roles } = bench().api
      const role = await roles.create({ name: 'Editors', bundles: ['bundle.editor'] })
      expect(role).toMatchObject({
        type: 'role',
        searchId: role.id.toLowerCase(),
        overrides: { grant: [], revoke: [] },
      })
      expect(await roles.get({ id: role.id })).toEqual(role)
      expect((await roles.list()).items).toContainEqual(role)
      const changed = await roles.update({ id: role.id, overrides: { revoke: ['items.delete'] } })
      expect(changed).toMatchObject({ name: 'Editors', overrides: { grant: [], revoke: ['items.delete'] } })
      await failing(roles.create({ name: 'Editors' }), 'name_taken')
      const other = await roles.create({ name: 'Others' })
      await failing(roles.update({ id: other.id, name: 'Editors' }), 'name_taken')
      expect(await roles.delete({ id: role.id })).toBeUndefined()
      await allFailing(
        [roles.get({ id: gone }), roles.update({ id: gone }), roles.delete({ id: gone })],
        'not_found',
      )
    })

    it('reports keys and bundles that do not exist', async () => {
      const { roles } = bench().api
      const wrong = {
        bundles: ['bundle.nope'],
        permissions: { global: ['nope'], repos: { r: ['nope'] } },
        overrides: { grant: ['x'] },
      }
      expect(await invalidAt(roles.create({ name: 'Wrong', ...wrong }))).toEqual([
        'bundles.0',
        'permissions.global.0',
        'permissions.repos.r.0',
        'overrides.grant.0',
      ])
    })

    it('does not delete a role that somebody has', async () => {
      const { api, system } = bench()
      const { roleId } = await newAccount(system, { bundles: ['bundle.viewer'] })
      await failing(api.roles.delete({ id: roleId }), 'role_in_use')
    })

    it('refuses to grant what the caller lacks, by any operation', async () => {
      const { as, system } = bench()
      const lesser = await as({
        permissions: { global: ['security.roles.update', 'security.serviceAccounts.update', 'items.read'] },
      })
      const strong = await system.roles.create({ name: 'Strong', bundles: ['bundle.administrator'] })
      const key = ['items.publish']
      for (const rights of [
        { bundles: ['bundle.publisher'] },
        { permissions: { global: key } },
        { permissions: { repos: { any: key } } },
        { permissions: { sites: { any: ['sites.publish'] } } },
        { overrides: { grant: key } },
        { repos: [{ CACHE_ROOT: 'x', id: 'any', permission: 'admin' as const }] },
      ]) {
        await failing(lesser.roles.create({ name: 'More', ...rights }), 'forbidden')
      }
      await failing(lesser.roles.update({ id: strong.id, description: 'mine' }), 'forbidden')
      await failing(lesser.roles.delete({ id: strong.id }), 'forbidden')
      await failing(lesser.serviceAccounts.create({ name: 'Mine', roles: [strong.id] }), 'forbidden')
      expect(await system.roles.get({ id: strong.id })).toEqual(strong)
      await lesser.roles.create({ name: 'Less', permissions: { global: ['items.read'] } })
    })
  })

  it('a role that gives access to items can only be granted by its holders', async () => {
    const { as, system, api } = bench()
    const secret = await system.roles.create({ name: 'Unlocks' })
    const lesser = await as({
      permissions: { global: ['security.roles.update', 'security.serviceAccounts.update'] },
    })
    await failing(lesser.serviceAccounts.create({ name: 'Mine', roles: [secret.id] }), 'forbidden')
    await failing(lesser.roles.update({ id: secret.id, users: ['me@example.org'] }), 'forbidden')
    await api.serviceAccounts.create({ name: 'Theirs', roles: [secret.id] })
  })

  it('a global key that is granted on a repository has no effect', async () => {
    const api = await bench().as({ permissions: { repos: { REPO_1: ['security.roles.view'] } } })
    await failing(api.roles.list(), 'forbidden')
  })

  describe('service accounts', () => {
    it('shows a secret once and never again', async () => {
      const { serviceAccounts } = bench().api
      const { secret, ...account } = await serviceAccounts.create({ name: 'Site', description: 'reads' })
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(await serviceAccounts.get({ id: account.id })).toEqual(account)
      const listed = await serviceAccounts.list()
      expect(listed.items).toContainEqual(account)
      expect(JSON.stringify(listed)).not.toContain(secret)
    })

    it('rotates secrets, two at a time', async () => {
      const { serviceAccounts } = bench().api
      const first = await serviceAccounts.create({ name: 'Rotating' })
      const second = await serviceAccounts.addSecret({ id: first.id })
      expect(second.secret).not.toBe(first.secret)
      expect(second.secrets).toHaveLength(2)
      await failing(serviceAccounts.addSecret({ id: first.id }), 'invalid_state')
      const [old, current] = second.secrets.map(({ id }) => id)
      const left = await serviceAccounts.removeSecret({ id: first.id, secretId: old ?? '' })
      expect(left.secrets.map(({ id }) => id)).toEqual([current])
      await failing(serviceAccounts.removeSecret({ id: first.id, secretId: old ?? '' }), 'not_found')
      await failing(serviceAccounts.removeSecret({ id: first.id, secretId: current ?? '' }), 'invalid_state')
    })

    it('changes, and refuses unknown roles and accounts', async () => {
      const { serviceAccounts } = bench().api
      const { id } = await serviceAccounts.create({ name: 'Changing' })
      expect(await serviceAccounts.update({ id, name: 'Changed', enabled: false })).toMatchObject({
        name: 'Changed',
        enabled: false,
      })
      expect(await invalidAt(serviceAccounts.update({ id, roles: [gone] }))).toEqual(['roles.0'])
      expect(await invalidAt(serviceAccounts.create({ name: 'x', groups: ['GRUP_1'] }))).toEqual(['groups.0'])
      await serviceAccounts.delete({ id })
      await allFailing(
        [
          serviceAccounts.get({ id }),
          serviceAccounts.update({ id }),
          serviceAccounts.delete({ id }),
          serviceAccounts.addSecret({ id }),
          serviceAccounts.removeSecret({ id, secretId: 'x' }),
        ],
        'not_found',
      )
    })
  })
}
