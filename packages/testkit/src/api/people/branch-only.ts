import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { anArticle, prepareMagazine } from '../delivery/magazine.ts'
import { allFailing, failing } from '../failing.ts'
import { everything, newAccount, type Bench } from '../host.ts'

const configId = 'magazine'

/** Accounts and roles whose grants count in packages alone. */
export function branchOnlyTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))

  const article = (name: string, more = {}) => anArticle({ name, fields: { title: name }, ...more })

  /** A new account with the API for it. */
  const anAccount = async (rights: Parameters<typeof newAccount>[1], branchOnly: boolean) => {
    const { system, scope } = bench()
    const account = await newAccount(system, rights)
    await system.serviceAccounts.update({ id: account.id, branchOnly })
    return { ...account, api: scope.connect(account) }
  }

  const inPackage = async (api: Api, packageName: string) => {
    await api.packages.create({ repo: configId, name: packageName })
    return api.items.create(article(packageName, { packageName }))
  }

  describe('an account that is branchOnly', () => {
    it('changes content in packages alone, whatever its roles grant', async () => {
      const { api } = await anAccount(everything, true)
      const { id } = await bench().system.items.create(article('On main'))
      await inPackage(api, 'by an agent')
      await api.items.update({ configId, packageName: 'by an agent', id, name: 'Changed' })
      expect(await bench().system.items.get({ configId, id })).toMatchObject({ name: 'On main' })
      await allFailing(
        [
          api.items.create(article('Refused')),
          api.items.update({ configId, id, name: 'Refused' }),
          api.items.publish({ configId, id }),
          api.items.delete({ configId, id }),
          api.packages.merge({ repo: configId, packageName: 'by an agent' }),
          api.roles.create({ name: 'Refused' }),
          api.repositories.create({ name: 'refused' }),
        ],
        'forbidden',
      )
    })

    it('has what groups and legacy entries give in packages alone', async () => {
      const { system, asUser } = bench()
      const { id: repositoryId } = await system.repositories.get({ id: configId })
      const writers = await system.roles.create({
        name: 'Writers of a group',
        bundles: ['bundle.contributor'],
      })
      const group = await system.groups.create({ name: 'Writers', roles: [writers.id] })
      const repos = [{ CACHE_ROOT: configId, id: repositoryId, permission: 'admin' as const }]
      for (const [index, grants] of [{ groups: [group.id] }, { repos }].entries()) {
        const id = `agent-${index}@example.org`
        await system.users.create({ id, name: 'Agent', branchOnly: true, ...grants })
        await inPackage(asUser(id), `by ${index}`)
        await failing(asUser(id).items.create(article('Refused')), 'forbidden')
        await system.users.update({ id, branchOnly: false })
        await asUser(id).items.create(article(`Plain ${index}`))
      }
    })

    it('is limited, and no longer limited, from the next call on', async () => {
      const { system } = bench()
      const { id, api } = await anAccount(everything, false)
      await api.items.create(article('Before'))
      await system.serviceAccounts.update({ id, branchOnly: true })
      await failing(api.items.create(article('Meanwhile')), 'forbidden')
      await system.serviceAccounts.update({ id, branchOnly: false })
      await api.items.create(article('After'))
    })

    it('is no administrator, so that the last one cannot become one', async () => {
      const { api, limited, system } = bench()
      const { identity } = await api.auth.myPermissions()
      for (const { id } of (await system.serviceAccounts.list()).items)
        if (id !== identity.id) await system.serviceAccounts.update({ id, enabled: false })
      const [role = ''] = (await api.auth.myPermissions()).roles
      await failing(api.serviceAccounts.update({ id: identity.id, branchOnly: true }), 'last_administrator')
      await failing(api.roles.update({ id: role, branchOnly: true }), 'last_administrator')
      for (const { id } of (await system.serviceAccounts.list()).items)
        await system.serviceAccounts.update({ id, enabled: true })
      await limited.user.me()
    })
  })

  describe('the member branchOnly', () => {
    it('is false by default and in records that are older than it, and can be patched', async () => {
      const { system, scope } = bench()
      const role = await system.roles.create({ name: 'Default' })
      const account = await system.serviceAccounts.create({ name: 'Default' })
      const user = await system.users.create({ id: 'default@example.org', name: 'Default' })
      const values = async () => [
        (await system.roles.get({ id: role.id })).branchOnly,
        (await system.serviceAccounts.get({ id: account.id })).branchOnly,
        (await system.users.get({ id: user.id })).branchOnly,
      ]
      expect([role.branchOnly, account.branchOnly, user.branchOnly]).toEqual([false, false, false])
      await scope.store.transaction(async ({ records }) => {
        const stored = await records.get('role', role.id)
        if (!stored) throw new Error('it is there')
        const { revision, branchOnly: _, ...older } = stored
        await records.put('role', older, revision)
      })
      expect(await values()).toEqual([false, false, false])
      const listed = (await system.roles.list()).items.find(({ id }) => id === role.id)
      expect(listed?.branchOnly).toBe(false)
      await system.roles.update({ id: role.id, branchOnly: true })
      await system.serviceAccounts.update({ id: account.id, branchOnly: true })
      await system.users.update({ id: user.id, branchOnly: true })
      await system.users.update({ id: user.id, name: 'Renamed' })
      expect(await values()).toEqual([true, true, true])
      const [entry] = (await system.security.audit({ limit: 2 })).items.slice(1)
      expect(entry?.changed).toEqual({ branchOnly: { from: false, to: true } })
    })

    it('never lets a caller give on main what the caller holds in packages alone', async () => {
      const { system, scope } = bench()
      const managing = ['security.roles.update', 'security.users.update', 'security.serviceAccounts.update']
      const limited = { bundles: ['bundle.editor'], branchOnly: true }
      const caller = await newAccount(system, limited)
      const manager = await system.roles.create({
        name: 'Manager of agents',
        permissions: { global: [...managing, 'security.groups.update'] },
      })
      await system.serviceAccounts.update({ id: caller.id, roles: [caller.roleId, manager.id] })
      const api = scope.connect(caller)
      const roles = [caller.roleId]
      const plain = await system.roles.create({ name: 'Plain editors', bundles: ['bundle.editor'] })
      await system.serviceAccounts.update({ id: caller.id, roles: [...roles, manager.id] })
      const editor = await system.serviceAccounts.create({ name: 'Plain', roles: [plain.id] })
      const weak = await system.users.create({ id: 'limited@example.org', name: 'Limited', roles })
      await allFailing(
        [
          api.roles.create({ name: 'Mine', bundles: ['bundle.editor'] }),
          api.roles.update({ id: caller.roleId, branchOnly: false }),
          api.roles.update({ id: plain.id, branchOnly: true }),
          api.roles.update({ id: plain.id, users: [weak.id] }),
          api.serviceAccounts.update({ id: editor.id, branchOnly: true }),
          api.serviceAccounts.create({ name: 'Mine', roles: [plain.id] }),
          api.serviceAccounts.create({ name: 'Mine', roles: [plain.id], branchOnly: true }),
          api.serviceAccounts.addSecret({ id: editor.id }),
          api.users.update({ id: weak.id, roles: [plain.id] }),
          api.groups.create({ name: 'Mine', roles: [plain.id], users: [weak.id] }),
        ],
        'forbidden',
      )
      await system.serviceAccounts.update({ id: editor.id, branchOnly: true })
      await failing(api.serviceAccounts.update({ id: editor.id, branchOnly: false }), 'forbidden')
      const made = await api.roles.create({ name: 'Mine', ...limited })
      await api.users.update({ id: weak.id, branchOnly: true })
      await api.users.update({ id: weak.id, branchOnly: false })
      expect(made.branchOnly).toBe(true)
    })

    it('is explained: what counts in packages, and what is withheld by the role or by the account', async () => {
      const { id, roleId: role, api } = await anAccount(everything, true)
      const explain = async (key: string) => {
        const { explanation } = await api.auth.myPermissions({ explain: key as never })
        return explanation
      }
      const source = 'bundle.administrator'
      const grant = { role, via: [], source }
      const byAccount = [{ role: null, source: 'branchOnly' }]
      const { branchOnly, global, inPackages } = await api.auth.myPermissions()
      expect(branchOnly).toBe(true)
      expect(global).toEqual(expect.arrayContaining(['items.read', 'packages.create']))
      expect(global).not.toContain('items.update')
      expect(inPackages).toMatchObject({
        global: expect.arrayContaining(['items.update']),
        repos: {},
        sites: {},
      })
      expect(inPackages.global).not.toContain('packages.merge')
      expect(await explain('items.update')).toEqual({
        key: 'items.update',
        allowed: false,
        allowedInPackages: true,
        grants: [{ ...grant, inPackagesOnly: true }],
        withheld: byAccount,
      })
      expect(await explain('packages.merge')).toEqual({
        key: 'packages.merge',
        allowed: false,
        allowedInPackages: false,
        grants: [],
        withheld: byAccount,
      })
      expect(await explain('items.read')).toEqual({
        key: 'items.read',
        allowed: true,
        allowedInPackages: true,
        grants: [{ ...grant, inPackagesOnly: false }],
        withheld: [],
      })
      await bench().system.roles.update({ id: role, branchOnly: true })
      const byBoth = [{ role, source: 'branchOnly' }, ...byAccount]
      expect(await explain('items.update')).toMatchObject({ withheld: byBoth })
      await bench().system.serviceAccounts.update({ id, branchOnly: false })
      expect(await explain('items.update')).toMatchObject({ withheld: byBoth.slice(0, 1) })
      await bench().system.roles.update({ id: role, branchOnly: false })
      expect(await explain('items.update')).toMatchObject({ allowed: true, withheld: [] })
      expect(await api.auth.myPermissions()).toMatchObject({
        branchOnly: false,
        inPackages: { global: [], repos: {}, sites: {} },
      })
    })
  })
}
