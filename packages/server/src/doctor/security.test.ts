import { expect, it } from 'vitest'
import { systemIdentity } from '@quire/core'
import { aFolder } from '../../test/cli.ts'
import { openQuire } from '../open-quire.ts'
import { openFileReader } from './reader.ts'
import { checkSecurity } from './security.ts'

it('reports who has dangerous permissions and why, what is public, and which secrets are unused', async () => {
  const { quire, folder } = await openQuire({ data: aFolder(), baseUrl: 'http://127.0.0.1:3000' })
  try {
    const api = quire.as(systemIdentity('test'))
    const role = await api.roles.create({
      name: 'Keepers',
      permissions: { global: ['security.users.update'] },
    })
    const outer = await api.groups.create({ name: 'Outer', roles: [role.id] })
    const inner = await api.groups.create({ name: 'Inner', groups: [outer.id] })
    await api.users.create({ id: 'ada@example.org', name: 'Ada', groups: [inner.id] })
    await api.users.create({ id: 'off@example.org', name: 'Off', groups: [inner.id], enabled: false })
    await api.repositories.create({ name: 'open', public: true })
    const { secrets } = await api.serviceAccounts.create({ name: 'Idle' })
    const roles = [(await api.roles.create({ name: 'Editors', bundles: ['bundle.editor'] })).id]
    const free = await api.serviceAccounts.create({ name: 'Writing agent', roles })
    await api.serviceAccounts.create({ name: 'Proofreader', description: 'By MCP', roles, branchOnly: true })
    await api.serviceAccounts.create({ name: 'Agent without roles' })
    await api.serviceAccounts.create({ name: 'Agentur', roles })
    const gone = await api.serviceAccounts.create({ name: 'Former agent', roles })
    await api.serviceAccounts.update({ id: gone.id, enabled: false })
    const later = Date.now() + 91 * 24 * 60 * 60_000
    const checks = await checkSecurity(openFileReader(folder.database), later)
    const reported = (name: string) =>
      checks.filter((check) => check.name === name).map(({ message }) => message)
    expect(reported('security.users.update')).toEqual([
      'user ada@example.org ("Ada") everywhere: permissions.global of role "Keepers" through "Inner", in "Outer"',
    ])
    expect(reported('items.publish')).toEqual(['nobody'])
    // Not the account that can delete in packages only.
    expect(reported('items.delete')).toHaveLength(2)
    expect(reported('agent')).toEqual([
      `service ${free.id} ("Writing agent") can change main: consider setting branchOnly on the account`,
    ])
    expect(reported('public')).toEqual(['published content can be read without a token in: open'])
    expect(reported('secret')).toContainEqual(expect.stringContaining(secrets[0]?.id ?? 'none'))
  } finally {
    await quire.close()
  }
})
