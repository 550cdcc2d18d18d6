import { permissionCatalogue, permissionKeysOf, type PermissionKey } from '@quire/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from './ask.ts'
import type { Caller } from './principals.ts'
import { rows, type Row } from './rows.ts'
import { openSite, type Site } from './site.ts'
import { targetsFor } from './targets.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

/** The first permission key that a row declares, if it can be granted on a repository. */
function keyOf({ endpoint: { permission } }: Row): PermissionKey | null {
  const [key] = permissionKeysOf(permission)
  if (key === undefined) return null
  return permissionCatalogue[key].scopes.some((scope: string) => scope === 'repository') ? key : null
}

const holders = new Map<PermissionKey, Promise<Caller>>()

/** An account with only this permission on the repository, or on one of its types. */
function holderOf(key: PermissionKey): Promise<Caller> {
  const known = holders.get(key) ?? createHolder(key)
  holders.set(key, known)
  return known
}

async function createHolder(key: PermissionKey): Promise<Caller> {
  const repos = { [site.repositories.magazine]: [key] }
  const { id: role } = await site.system.roles.create({ name: `Only ${key}`, permissions: { repos } })
  const { id, secret } = await site.system.serviceAccounts.create({ name: key, roles: [role] })
  const asked = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const { access_token: token } = await site.quire.as({ kind: 'anonymous' }).auth.token(asked)
  return { name: 'view', principal: { kind: 'service', id }, token }
}

async function answerOf(row: Row, caller: Caller) {
  const input = await row.input(targetsFor(site, { caller, ...row }))
  return ask(site.address, { endpoint: row.endpoint, input, token: caller.token })
}

it('an account with the key of an operation is never told that the repository or package does not exist', async () => {
  const unseen: string[] = []
  let asked = 0
  for (const row of rows) {
    const key = keyOf(row)
    if (!key || row.repository !== 'magazine') continue
    const { status, whole } = await answerOf(row, await holderOf(key))
    asked += 1
    if (/There is no (repository|package)/.test(whole)) unseen.push(`${row.name} with ${key}: ${status}`)
  }
  expect(asked).toBeGreaterThan(90)
  expect(unseen).toEqual([])
}, 60_000)

it('the key of a package operation is sufficient', async () => {
  const enough = ['packages.get', 'packages.pageDiff', 'packages.changes', 'packages.diff', 'workflow.get']
  for (const row of rows.filter(({ operation }) => enough.includes(operation))) {
    const key = keyOf(row)
    if (!key) throw new Error(`${row.name} declares no key of repositories`)
    const { status, whole } = await answerOf(row, await holderOf(key))
    expect([row.name, status, status >= 400 ? whole : '']).toEqual([
      row.name,
      status < 300 ? status : 200,
      '',
    ])
  }
})

it('a refusal names the missing key to an account with another key on the repository', async () => {
  const other = await holderOf('activity.view')
  const wrong: string[] = []
  for (const row of rows) {
    const key = keyOf(row)
    if (!key || key === 'activity.view' || row.repository !== 'magazine') continue
    const { status, whole } = await answerOf(row, other)
    const isNamed = whole.includes(key) || row.endpoint.method === 'HEAD'
    if (status !== 403 || !isNamed) wrong.push(`${row.name}: ${status}`)
  }
  expect(wrong).toEqual([])
}, 60_000)

it('a refusal names the missing key only to accounts that can see the repository', async () => {
  const repos = {
    [site.repositories.magazine]: ['folders.read' as const],
    [site.repositories.archive]: ['items.read' as const],
  }
  const { id: role } = await site.system.roles.create({ name: 'Of two', permissions: { repos } })
  const { id } = await site.system.serviceAccounts.create({ name: 'Of two', roles: [role] })
  const api = site.quire.as({ kind: 'service', id })
  await expect(api.items.list({ configId: 'magazine' })).rejects.toMatchObject({
    code: 'forbidden',
    details: { permission: 'items.read' },
  })
  await expect(api.items.list({ configId: 'gazette' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(api.items.list({ configId: 'archive' })).resolves.toMatchObject({ count: 0 })
})
