import { beforeAll, describe, expect, it } from 'vitest'
import { allFailing, failing, invalidAt } from '../failing.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const absent = 'GRUP_01JB2Q6A1B3D5F7H9K1M3P5R7T'

/** Users, groups and bundles, and the permissions that they grant. */
export function peopleTests(bench: () => Bench): void {
  describe('users', () => {
    beforeAll(() => prepareMagazine(bench().system))

    it('creates, lists, changes and deletes, whatever the case of the address', async () => {
      const { users } = bench().api
      const user = await users.create({ id: 'Ada@Example.org', name: 'Ada' })
      expect(user).toMatchObject({
        id: 'ada@example.org',
        searchId: 'ada_example_org',
        enabled: true,
        type: 'user',
      })
      expect(await users.get({ id: 'ADA@example.org' })).toEqual(user)
      expect((await users.list()).items).toContainEqual(user)
      await failing(users.create({ id: 'ada@example.org', name: 'Another' }), 'name_taken')
      const other = await users.create({ id: 'ada-example@org', name: 'Alike' })
      expect(other.searchId).toBe('ada_example_org_2')
      expect(await users.update({ id: user.id, name: 'Ada Lovelace' })).toMatchObject({
        name: 'Ada Lovelace',
      })
      expect(await invalidAt(users.update({ id: user.id, roles: [absent] }))).toEqual(['roles.0'])
      expect(await invalidAt(users.create({ id: 'no address', name: 'x' }))).toEqual(['id'])
      await users.delete({ id: user.id })
      await allFailing(
        [
          users.get({ id: user.id }),
          users.update({ id: user.id, name: 'x' }),
          users.delete({ id: user.id }),
          users.permissions({ id: user.id }),
          users.getPreferences({ id: user.id }),
          users.replacePreferences({ id: user.id, view: { defaultView: 'list' } }),
          users.createSignInLink({ id: user.id }),
        ],
        'not_found',
      )
    })

    it('says of service accounts, too, what grants a permission', async () => {
      const { api } = bench()
      const role = await api.roles.create({ name: 'Machines', bundles: ['bundle.viewer'] })
      const { id } = await api.serviceAccounts.create({ name: 'Machine', roles: [role.id] })
      const may = await api.serviceAccounts.permissions({ id, explain: 'items.read' })
      expect(may).toMatchObject({
        identity: { kind: 'service', id, name: 'Machine' },
        explanation: { allowed: true, grants: [{ role: role.id, via: [], source: 'bundle.viewer' }] },
      })
      const mayNot = await api.serviceAccounts.permissions({ id, explain: 'items.update' })
      expect(mayNot).toMatchObject({ explanation: { allowed: false, grants: [] } })
      await failing(api.serviceAccounts.permissions({ id: absent }), 'not_found')
    })

    it('may do what their roles and groups grant, only as long as these exist', async () => {
      const { api, asUser } = bench()
      const role = await api.roles.create({ name: 'Readers', bundles: ['bundle.viewer'] })
      const outer = await api.groups.create({ name: 'Outer', roles: [role.id] })
      const inner = await api.groups.create({ name: 'Inner', groups: [outer.id] })
      await api.users.create({ id: 'reader@example.org', name: 'Reader', groups: [inner.id] })
      const reader = asUser('reader@example.org')
      expect((await reader.items.list({ configId: 'magazine' })).items).toEqual([])
      const { explanation } = await api.users.permissions({ id: 'reader@example.org', explain: 'items.read' })
      expect(explanation).toEqual({
        key: 'items.read',
        allowed: true,
        allowedInPackages: true,
        grants: [
          { role: role.id, via: [inner.id, outer.id], source: 'bundle.viewer', inPackagesOnly: false },
        ],
        withheld: [],
      })
      expect(await reader.auth.myPermissions({ explain: 'items.read' })).toMatchObject({ explanation })
      await api.groups.update({ id: outer.id, roles: [] })
      await failing(reader.items.list({ configId: 'magazine' }), 'forbidden')
      await api.users.update({ id: 'reader@example.org', enabled: false })
      await failing(reader.user.me(), 'unauthorized')
      await failing(api.users.createSignInLink({ id: 'reader@example.org' }), 'invalid_state')
    })

    it('gives nothing of a deleted user to a new one with the same address', async () => {
      const { api, asUser } = bench()
      const id = 'again@example.org'
      await api.users.create({ id, name: 'First' })
      const role = await api.roles.create({ name: 'By name', bundles: ['bundle.viewer'], users: [id] })
      const group = await api.groups.create({ name: 'By name', roles: [role.id], users: [id] })
      await asUser(id).user.me()
      await api.users.replacePreferences({ id, view: { defaultView: 'list' } })
      await api.users.delete({ id })
      await failing(asUser(id).user.me(), 'unauthorized')
      await api.users.create({ id, name: 'Second' })
      expect(await asUser(id).auth.myPermissions()).toMatchObject({ roles: [], global: [] })
      expect((await api.roles.get({ id: role.id })).users).toEqual([])
      expect((await api.groups.get({ id: group.id })).users).toEqual([])
      expect((await asUser(id).user.me()).preferences).toMatchObject({ view: { defaultView: 'grid' } })
    })

    it('grants the keys of a repository through legacy entries of users and groups', async () => {
      const { api, asUser } = bench()
      const { id } = await api.repositories.get({ id: 'magazine' })
      const entry = { CACHE_ROOT: 'magazine', id }
      const repos = [{ ...entry, permission: 'view' as const }]
      await api.users.create({ id: 'legacy@example.org', name: 'Legacy', repos })
      const group = await api.groups.create({
        name: 'Legacy',
        repos: [{ ...entry, permission: 'write' }],
      })
      const legacy = asUser('legacy@example.org')
      await legacy.items.list({ configId: 'magazine' })
      const draft = { repositoryId: 'magazine', type: 'article', name: 'Written' }
      await failing(legacy.items.create(draft), 'forbidden')
      await api.users.update({ id: 'legacy@example.org', groups: [group.id] })
      await legacy.items.create(draft)
      const { explanation } = await legacy.auth.myPermissions({ explain: 'items.create', repo: 'magazine' })
      expect(explanation?.grants).toEqual([
        { role: null, via: [group.id], source: 'repos.write', inPackagesOnly: false },
      ])
    })
  })

  describe('preferences', () => {
    it('have the defaults and limits of the specification, and are replaced as a whole', async () => {
      const { api, asUser } = bench()
      const id = 'prefs@example.org'
      await api.users.create({ id, name: 'Prefs' })
      const { users, user } = asUser(id)
      const defaults = {
        view: { defaultView: 'grid' },
        detailPaneColumns: 2,
        theme: 'dark',
        uiVersion: 'content2',
      }
      expect(await users.getPreferences({ id })).toEqual(defaults)
      const visited = { CACHE_ROOT: 'magazine', name: 'Magazine', lastVisited: 1 }
      const set = {
        view: { defaultView: 'list' as const },
        tableColumns: ['name'],
        recentRepositories: [visited],
        recentSites: [{ id: 'SITE_1', lastVisited: 1_790_000_000_000.5 }],
        detailPaneColumns: 5,
        theme: 'light' as const,
        uiVersion: 'content' as const,
      }
      expect(await users.replacePreferences({ id, ...set })).toEqual(set)
      expect((await api.users.get({ id })).preferences).toEqual(set)
      expect(await user.me()).toMatchObject({ id, email: id, preferences: set })
      const view = { defaultView: 'grid' as const }
      expect(await users.replacePreferences({ id, view })).toEqual(defaults)
      const four = [visited, visited, visited, visited]
      for (const [wrong, path] of [
        [{ view: { defaultView: 'table' } }, 'view.defaultView'],
        [{}, 'view'],
        [{ view, detailPaneColumns: 0 }, 'detailPaneColumns'],
        [{ view, detailPaneColumns: 6 }, 'detailPaneColumns'],
        [{ view, detailPaneColumns: 1.5 }, 'detailPaneColumns'],
        [{ view, theme: 'blue' }, 'theme'],
        [{ view, uiVersion: 'content3' }, 'uiVersion'],
        [{ view, recentRepositories: four }, 'recentRepositories'],
        [{ view, recentSites: [{ id: 'SITE_1' }] }, 'recentSites.0.lastVisited'],
      ] as const)
        expect(await invalidAt(users.replacePreferences({ id, ...wrong } as never))).toEqual([path])
      await failing(users.replacePreferences({ id, view, roles: ['admin'] } as never), 'invalid')
      expect(await users.getPreferences({ id })).toEqual(defaults)
    })

    it('of others can be read only by callers who administer users', async () => {
      const { api, asUser, as } = bench()
      await api.users.create({ id: 'mine@example.org', name: 'Mine' })
      await api.users.create({ id: 'theirs@example.org', name: 'Theirs' })
      const { users } = asUser('mine@example.org')
      const view = { defaultView: 'list' as const }
      const refused = [
        users.getPreferences({ id: 'theirs@example.org' }),
        users.replacePreferences({ id: 'theirs@example.org', view }),
        users.getPreferences({ id: 'nobody@example.org' }),
      ]
      await allFailing(refused, 'forbidden')
      const editor = await as({ permissions: { global: ['security.users.view', 'security.users.update'] } })
      expect(await editor.users.getPreferences({ id: 'theirs@example.org' })).toMatchObject({ theme: 'dark' })
      expect(await editor.users.replacePreferences({ id: 'theirs@example.org', view })).toMatchObject({
        view,
      })
    })

    it('store the last three visits', async () => {
      const { api, asUser } = bench()
      const id = 'visitor@example.org'
      const sites = { SITE_1: ['sites.view'] }
      const role = await api.roles.create({
        name: 'Visitors',
        bundles: ['bundle.viewer'],
        permissions: { sites },
      })
      await api.users.create({ id, name: 'Visitor', roles: [role.id] })
      for (const name of ['one', 'two', 'three']) await api.repositories.create({ name })
      const { user } = asUser(id)
      for (const name of ['magazine', 'one', 'two', 'one', 'three'])
        await user.visit({ kind: 'repository', id: name })
      const { recentRepositories, recentSites } = await user.visit({ kind: 'site', id: 'SITE_1' })
      expect(recentRepositories?.map(({ CACHE_ROOT }) => CACHE_ROOT)).toEqual(['three', 'one', 'two'])
      expect(recentSites?.map((site) => site.id)).toEqual(['SITE_1'])
      await failing(user.visit({ kind: 'repository', id: 'nowhere' }), 'not_found')
      await failing(api.user.visit({ kind: 'repository', id: 'one' }), 'invalid_state')
      expect((await api.user.me()).preferences).toBeNull()
    })
  })

  describe('groups', () => {
    it('creates, lists, changes and deletes, and removes references to deleted groups', async () => {
      const { api } = bench()
      const { groups } = api
      const group = await groups.create({ name: 'The desk' })
      expect(await groups.get({ id: group.id })).toEqual(group)
      expect((await groups.list()).items).toContainEqual(group)
      await failing(groups.create({ name: 'The desk' }), 'name_taken')
      expect(await groups.update({ id: group.id, description: 'All' })).toMatchObject({ description: 'All' })
      const other = await groups.create({ name: 'Another', groups: [group.id] })
      await failing(groups.update({ id: other.id, name: 'The desk' }), 'name_taken')
      const account = await api.serviceAccounts.create({ name: 'In it', groups: [group.id] })
      await api.users.create({ id: 'in@example.org', name: 'In it', groups: [group.id] })
      const role = await api.roles.create({ name: 'Of the desk', groups: [group.id] })
      await groups.delete({ id: group.id })
      expect(await groups.get({ id: other.id })).toMatchObject({ groups: [] })
      expect(await api.serviceAccounts.get({ id: account.id })).toMatchObject({ groups: [] })
      expect(await api.users.get({ id: 'in@example.org' })).toMatchObject({ groups: [] })
      expect(await api.roles.get({ id: role.id })).toMatchObject({ groups: [] })
      await allFailing(
        [groups.get({ id: absent }), groups.update({ id: absent }), groups.delete({ id: absent })],
        'not_found',
      )
      expect(await invalidAt(groups.create({ name: 'x', users: ['nobody@example.org'] }))).toEqual([
        'users.0',
      ])
      expect(await invalidAt(groups.create({ name: 'x', groups: [absent] }))).toEqual(['groups.0'])
    })

    it('may contain each other', async () => {
      const { api, asUser } = bench()
      const role = await api.roles.create({ name: 'Round', bundles: ['bundle.viewer'] })
      const one = await api.groups.create({ name: 'One' })
      const two = await api.groups.create({ name: 'Two', groups: [one.id], roles: [role.id] })
      await api.groups.update({ id: one.id, groups: [two.id] })
      await api.users.create({ id: 'round@example.org', name: 'Round', groups: [one.id] })
      const { explanation } = await asUser('round@example.org').auth.myPermissions({ explain: 'items.read' })
      expect(explanation?.grants.map(({ via }) => via)).toEqual([[one.id, two.id]])
    })
  })

  describe('bundles', () => {
    it('creates, lists, changes and deletes, except for built-in ones', async () => {
      const { api, as } = bench()
      const { bundles, roles } = api
      const id = 'bundle.translator'
      const made = await bundles.create({
        id,
        name: 'Translator',
        permissions: ['items.read', 'items.update'],
      })
      expect(made).toMatchObject({ id, isBuiltIn: false, description: '' })
      expect(await bundles.get({ id })).toEqual(made)
      const { items } = await bundles.list()
      expect(items).toContainEqual(made)
      expect(items.filter(({ isBuiltIn }) => isBuiltIn)).toHaveLength(6)
      expect(await bundles.get({ id: 'bundle.viewer' })).toMatchObject({ isBuiltIn: true })
      await failing(bundles.create({ id, name: 'x', permissions: [] }), 'name_taken')
      await failing(bundles.create({ id: 'bundle.viewer', name: 'x', permissions: [] }), 'name_taken')
      const translator = await as({ bundles: [id] })
      expect((await translator.auth.myPermissions()).global).toEqual(['items.read', 'items.update'])
      await bundles.update({ id, permissions: ['items.read'] })
      expect((await translator.auth.myPermissions()).global).toEqual(['items.read'])
      await failing(bundles.delete({ id }), 'bundle_in_use')
      for (const change of [bundles.update, bundles.delete])
        await failing(change({ id: 'bundle.viewer' }), 'invalid_state')
      await bundles.create({ id: 'bundle.unused', name: 'Unused', permissions: [] })
      await bundles.delete({ id: 'bundle.unused' })
      const gone = { id: 'bundle.unused' }
      await allFailing([bundles.get(gone), bundles.update(gone), bundles.delete(gone)], 'not_found')
      await roles.create({ name: 'Uses it', bundles: [id] })
    })

    it('lists every key in the catalogue', async () => {
      const { items, count } = await bench().api.permissions.catalog()
      expect(count).toBe(items.length)
      expect(items).toContainEqual({
        key: 'items.read',
        area: 'items',
        description: 'Read items',
        scopes: ['repository', 'type'],
      })
    })
  })
}
