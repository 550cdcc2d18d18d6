import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import { newAccount, type Bench } from '../host.ts'

/** Nobody can grant more than they hold (TRUST S04), by any operation. */
export function escalationTests(bench: () => Bench): void {
  const managing = {
    permissions: {
      global: [
        'security.roles.view',
        'security.roles.update',
        'security.users.update',
        'security.groups.update',
        'security.serviceAccounts.update',
        'items.read',
      ],
    },
  }

  it('refuses permissions that the caller lacks, wherever they are granted', async () => {
    const { as, system } = bench()
    const lesser = await as(managing)
    const before = await lesser.auth.myPermissions()
    const [own = ''] = before.roles
    const strong = await system.roles.create({ name: 'Strong one', bundles: ['bundle.publisher'] })
    const strongGroup = await system.groups.create({ name: 'Strong ones', roles: [strong.id] })
    const named = await system.groups.create({ name: 'Named by a role' })
    await system.roles.update({ id: strong.id, groups: [strongGroup.id, named.id] })
    await system.users.create({ id: 'strong@example.org', name: 'Strong', roles: [strong.id] })
    await system.users.create({ id: 'weak@example.org', name: 'Weak' })
    const weakGroup = await system.groups.create({ name: 'Weak ones' })
    const repos = [{ CACHE_ROOT: 'x', id: 'REPO_1', permission: 'admin' as const }]
    const key = ['packages.diff.view' as const]
    for (const attempt of [
      () => lesser.roles.update({ id: own, permissions: { global: key } }),
      () => lesser.roles.update({ id: own, overrides: { grant: key } }),
      () => lesser.roles.update({ id: own, bundles: ['bundle.viewer'] }),
      () => lesser.roles.update({ id: own, repos }),
      () => lesser.roles.update({ id: own, permissions: { repos: { 'REPO_1:article': ['items.update'] } } }),
      () => lesser.roles.update({ id: own, permissions: { sites: { SITE_1: ['sites.view'] } } }),
      () => lesser.bundles.create({ id: 'bundle.more', name: 'More', permissions: key }),
      () => lesser.users.create({ id: 'new@example.org', name: 'New', roles: [strong.id] }),
      () => lesser.users.create({ id: 'new@example.org', name: 'New', groups: [strongGroup.id] }),
      () => lesser.users.create({ id: 'new@example.org', name: 'New', groups: [named.id] }),
      () => lesser.users.create({ id: 'new@example.org', name: 'New', repos }),
      () => lesser.users.update({ id: 'weak@example.org', roles: [strong.id] }),
      () => lesser.users.update({ id: 'strong@example.org', roles: [] }),
      () => lesser.users.update({ id: 'strong@example.org', enabled: false }),
      () => lesser.users.delete({ id: 'strong@example.org' }),
      () => lesser.users.createSignInLink({ id: 'strong@example.org' }),
      () => lesser.groups.create({ name: 'Mine', roles: [strong.id] }),
      () => lesser.groups.create({ name: 'Mine', groups: [strongGroup.id] }),
      () => lesser.groups.create({ name: 'Mine', repos }),
      () => lesser.groups.update({ id: weakGroup.id, groups: [named.id] }),
      () => lesser.groups.update({ id: strongGroup.id, users: ['weak@example.org'] }),
      () => lesser.groups.update({ id: named.id, users: ['weak@example.org'] }),
      () => lesser.groups.delete({ id: strongGroup.id }),
      () => lesser.serviceAccounts.create({ name: 'Mine', groups: [strongGroup.id] }),
    ])
      await failing(attempt(), 'forbidden')
    expect(await lesser.auth.myPermissions()).toEqual(before)
    await lesser.users.create({ id: 'new@example.org', name: 'New', roles: [own] })
    await lesser.groups.update({ id: weakGroup.id, users: ['weak@example.org'] })
  })

  it('widening a bundle requires its old and new keys', async () => {
    const { as, system } = bench()
    const lesser = await as(managing)
    const id = 'bundle.shared'
    await system.bundles.create({ id, name: 'Shared', permissions: ['items.publish'] })
    await failing(lesser.bundles.update({ id, permissions: ['items.read'] }), 'forbidden')
    await failing(lesser.bundles.delete({ id }), 'forbidden')
  })

  it('what a role grants on a type is deleted with the type', async () => {
    const { system, as } = bench()
    const { id: repositoryId } = await system.repositories.create({ name: 'of-types' })
    const keys = ['items.read']
    await system.types.create({ name: 'gone' })
    await system.types.create({ name: 'renamed' })
    const names = [`${repositoryId}:gone`, `${repositoryId}:renamed`]
    const reader = await as({ permissions: { repos: { [names[0] ?? '']: keys, [names[1] ?? '']: keys } } })
    await system.types.update({ id: 'renamed', name: 'later', apiName: 'Later' })
    await system.types.delete({ id: 'gone' })
    for (const name of ['gone', 'renamed']) await system.types.create({ name })
    expect((await reader.auth.myPermissions()).repos).toEqual({ [`${repositoryId}:later`]: keys })
  })

  it('keeps one account that holds everything', async () => {
    const { api, system } = bench()
    const others = (await system.serviceAccounts.list()).items
    const { identity, roles } = await api.auth.myPermissions()
    for (const { id } of others)
      if (id !== identity.id) await system.serviceAccounts.update({ id, enabled: false })
    const [role = ''] = roles
    const group = await system.groups.create({ name: 'Administrators of all', roles: [] })
    for (const attempt of [
      () => api.serviceAccounts.update({ id: identity.id, enabled: false }),
      () => api.serviceAccounts.update({ id: identity.id, roles: [] }),
      () => api.serviceAccounts.delete({ id: identity.id }),
      () => api.roles.update({ id: role, bundles: ['bundle.viewer'] }),
    ])
      await failing(attempt(), 'last_administrator')
    const { users, groups, bundles, roles: allRoles, serviceAccounts } = api
    const everything = (await bundles.get({ id: 'bundle.administrator' })).permissions
    await bundles.create({ id: 'bundle.all', name: 'All', permissions: everything })
    await allRoles.update({ id: role, bundles: ['bundle.all'] })
    await failing(bundles.update({ id: 'bundle.all', permissions: ['items.read'] }), 'last_administrator')
    await users.create({ id: 'root@example.org', name: 'Root', groups: [group.id] })
    await groups.update({ id: group.id, roles: [role] })
    const root = bench().asUser('root@example.org')
    await serviceAccounts.update({ id: identity.id, roles: [] })
    for (const attempt of [
      () => root.users.update({ id: 'root@example.org', groups: [] }),
      () => root.users.delete({ id: 'root@example.org' }),
      () => root.groups.update({ id: group.id, roles: [] }),
      () => root.groups.delete({ id: group.id }),
    ])
      await failing(attempt(), 'last_administrator')
    await root.serviceAccounts.update({ id: identity.id, roles: [role] })
    await newAccount(system, { bundles: ['bundle.administrator'] })
  })

  describe('relations between accounts', () => {
    it('are returned for users, roles, groups and service accounts', async () => {
      const { system: api } = bench()
      const role = await api.roles.create({ name: 'Told' })
      const outer = await api.groups.create({ name: 'Told', roles: [role.id] })
      const inner = await api.groups.create({ name: 'Told within', groups: [outer.id] })
      const id = 'told@example.org'
      await api.users.create({ id, name: 'Told', groups: [inner.id] })
      const account = await api.serviceAccounts.create({ name: 'Told', roles: [role.id] })
      const { security } = bench().api
      const none = { users: [], roles: [], groups: [], serviceAccounts: [] }
      expect(await security.userInfo({ id })).toEqual({
        ...none,
        roles: [role.id],
        groups: [inner.id, outer.id],
      })
      expect(await security.serviceAccountInfo({ id: account.id })).toEqual({ ...none, roles: [role.id] })
      expect(await security.roleInfo({ id: role.id })).toEqual({
        ...none,
        users: [id],
        groups: [outer.id],
        serviceAccounts: [account.id],
      })
      expect(await security.groupInfo({ id: outer.id })).toEqual({
        ...none,
        users: [id],
        roles: [role.id],
        groups: [inner.id],
      })
      for (const info of [
        security.userInfo,
        security.roleInfo,
        security.groupInfo,
        security.serviceAccountInfo,
      ])
        await failing(info({ id: 'nothing' }), 'not_found')
    })
  })

  it('keeps an audit of every change, newest first, without secrets', async () => {
    const { api, system } = bench()
    const role = await api.roles.create({ name: 'Audited' })
    await api.roles.update({ id: role.id, description: 'changed' })
    const { secret } = await api.serviceAccounts.create({ name: 'Audited', roles: [role.id] })
    const { items, nextCursor } = await api.security.audit({ limit: 2 })
    const { identity } = await api.auth.myPermissions()
    expect(items.map(({ event }) => event)).toEqual(['SERVICE_ACCOUNT_CREATED', 'ROLE_UPDATED'])
    expect(items[1]).toMatchObject({
      entityId: role.id,
      user: { userName: identity.id },
      changed: { description: { from: '', to: 'changed' } },
    })
    const next = await api.security.audit({
      limit: 1,
      ...(nextCursor !== undefined && { cursor: nextCursor }),
    })
    expect(next.items.map(({ event, entityId }) => [event, entityId])).toEqual([['ROLE_CREATED', role.id]])
    expect(JSON.stringify(await system.security.audit({ limit: 1000 }))).not.toContain(secret)
    await failing(api.security.audit({ cursor: 'x' }), 'invalid')
    const whole = await api.security.audit({ limit: 1000 })
    expect(whole.count).toBe(whole.items.length)
    expect(next.count).toBe(whole.count)
    expect(await api.security.audit({ skipCount: true })).not.toHaveProperty('count')
  })

  it('rotates the key that signs tokens', async () => {
    const { api, scope } = bench()
    const before = (await api.auth.keys()).keys.map(({ kid }) => kid)
    const { id, usedFrom } = await api.security.rotateKeys()
    expect(usedFrom).toBe(scope.clock.now() + 300_000)
    expect((await api.auth.keys()).keys.map(({ kid }) => kid)).toEqual([...before, id])
    await api.auth.myPermissions()
  })

  it('an account that is enabled again needs new tokens', async () => {
    const { system, scope } = bench()
    const { id, secret } = await system.serviceAccounts.create({ name: 'Leaked' })
    const token = await system.auth.token({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    await scope.quire.authenticate(token.access_token)
    const before = await scope.quire.authenticate(token.access_token)
    await scope.quire.as(before).user.me()
    await system.serviceAccounts.update({ id, enabled: false })
    await system.serviceAccounts.update({ id, enabled: true })
    await failing(scope.quire.as(before).user.me(), 'unauthorized')
  })

  it('rotates the server key: earlier secrets and tokens stay valid', async () => {
    const { api, as, scope } = bench()
    const before = await as({ bundles: ['bundle.viewer'] })
    await before.user.me()
    const { id, usedFrom } = await api.security.rotateKeys({ of: 'secrets' })
    expect(id).not.toBe((await api.security.rotateKeys({ of: 'secrets' })).id)
    expect(usedFrom).toBe(scope.clock.now())
    await before.user.me()
    const after = await as({ bundles: ['bundle.viewer'] })
    await after.user.me()
    scope.clock.advance(2 * 60 * 60_000)
    await before.user.me()
  })
}
