import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failing } from '../failing.ts'
import type { Bench } from '../host.ts'

const sorted = (ids: readonly string[] = []) => [...ids].toSorted()

/**
 * Roles and groups of accounts: one relation, read and written at either end (specification 2.6 to
 * 2.8).
 */
export function membershipTests(bench: () => Bench): void {
  describe('membership', () => {
    it('is visible at both ends, whichever wrote it', async () => {
      const { api } = bench()
      const user = await api.users.create({ id: 'both@example.org', name: 'Both' })
      const first = await api.groups.create({ name: 'Both one', users: [user.id] })
      const role = await api.roles.create({ name: 'Both', users: [user.id], groups: [first.id] })
      expect(await api.users.get({ id: user.id })).toMatchObject({ roles: [role.id], groups: [first.id] })
      expect(await api.groups.get({ id: first.id })).toMatchObject({ roles: [role.id], users: [user.id] })
      const group = await api.groups.create({ name: 'Both two', roles: [role.id] })
      const other = await api.users.create({
        id: 'both-2@example.org',
        name: 'Both',
        roles: [role.id],
        groups: [group.id],
      })
      const seen = await api.roles.get({ id: role.id })
      expect(sorted(seen.users)).toEqual(sorted([user.id, other.id]))
      expect(sorted(seen.groups)).toEqual(sorted([first.id, group.id]))
      expect((await api.roles.list()).items).toContainEqual(seen)
      expect((await api.groups.get({ id: group.id })).users).toEqual([other.id])
    })

    it('can be removed at either end, even if the other end added it', async () => {
      const { api, asUser } = bench()
      const role = await api.roles.create({ name: 'Taken', permissions: { global: ['security.roles.view'] } })
      const user = await api.users.create({ id: 'taken@example.org', name: 'Taken', roles: [role.id] })
      const accepted = asUser(user.id)
      await accepted.roles.get({ id: role.id })
      await api.roles.update({ id: role.id, users: [] })
      await failing(accepted.roles.get({ id: role.id }), 'forbidden')
      expect((await api.users.get({ id: user.id })).roles).toEqual([])

      const group = await api.groups.create({ name: 'Taken', users: [user.id], roles: [role.id] })
      await accepted.roles.get({ id: role.id })
      await api.users.update({ id: user.id, groups: [] })
      await failing(accepted.roles.get({ id: role.id }), 'forbidden')
      expect((await api.groups.get({ id: group.id })).users).toEqual([])

      await api.users.update({ id: user.id, groups: [group.id] })
      await api.roles.update({ id: role.id, groups: [] })
      await failing(accepted.roles.get({ id: role.id }), 'forbidden')
      expect((await api.groups.get({ id: group.id })).roles).toEqual([])
      await api.roles.delete({ id: role.id })
    })

    it('does not change the grants of a role when other members are sent', async () => {
      const { api } = bench()
      const grants = {
        permissions: { global: ['items.read'], repos: {}, sites: {} },
        overrides: { grant: ['items.create'], revoke: ['items.delete'] },
      }
      const role = await api.roles.create({ name: 'Untouched', ...grants })
      expect(await api.roles.update({ id: role.id, users: [] })).toMatchObject(grants)
      expect(await api.roles.update({ id: role.id, description: 'x' })).toMatchObject(grants)
    })

    it('changes the ETag of the record at the other end', async () => {
      const { api } = bench()
      const role = await api.roles.create({ name: 'Tagged' })
      const tag = await etagOf((onAnswer) => api.roles.get({ id: role.id }, { onAnswer }))
      const user = await api.users.create({ id: 'tagged@example.org', name: 'T', roles: [role.id] })
      await failing(api.roles.update({ id: role.id, users: [] }, { ifMatch: tag }), 'precondition_failed')
      expect((await api.users.get({ id: user.id })).roles).toEqual([role.id])
    })

    it('cannot be granted from either end by a caller who does not hold it', async () => {
      const { as, system } = bench()
      const lesser = await as({
        permissions: {
          global: ['security.roles.update', 'security.users.update', 'security.groups.update'],
        },
      })
      const strong = await system.roles.create({ name: 'Out of reach', bundles: ['bundle.administrator'] })
      const group = await system.groups.create({ name: 'Out of reach', roles: [strong.id] })
      const user = await system.users.create({ id: 'reach@example.org', name: 'Reach' })
      await failing(lesser.roles.update({ id: strong.id, users: [user.id] }), 'forbidden')
      await failing(lesser.roles.update({ id: strong.id, groups: [] }), 'forbidden')
      await failing(lesser.users.update({ id: user.id, groups: [group.id] }), 'forbidden')
      await failing(lesser.users.update({ id: user.id, roles: [strong.id] }), 'forbidden')
      await failing(lesser.groups.update({ id: group.id, users: [user.id] }), 'forbidden')
      expect(await system.users.get({ id: user.id })).toMatchObject({ roles: [], groups: [] })
      expect(await system.roles.get({ id: strong.id })).toMatchObject({ users: [], groups: [group.id] })
      expect((await system.groups.get({ id: group.id })).users).toEqual([])
    })

    it('is consistent at both ends after any writes, and determines permissions', async () => {
      const { system } = bench()
      const people = await peopleOf(bench())
      await fc.assert(
        fc.asyncProperty(fc.array(writes, { minLength: 1, maxLength: 12 }), async (made) => {
          for (const write of made) await doWrite(bench(), people, write)
          await expectAgreement(bench(), people)
          for (const id of people.users) {
            const { roles } = await system.security.userInfo({ id })
            expect(sorted(roles)).toEqual(sorted(await closure(bench(), id)))
          }
        }),
        { numRuns: 15 },
      )
    })
  })
}

interface People {
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly groups: readonly string[]
}

const kinds = ['users', 'roles', 'groups'] as const

const writes = fc.record({
  kind: fc.constantFrom(...kinds),
  which: fc.nat(2),
  list: fc.constantFrom('first', 'second'),
  members: fc.subarray([0, 1, 2]),
})

type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never

async function peopleOf({ system }: Bench): Promise<People> {
  const people = { users: [] as string[], roles: [] as string[], groups: [] as string[] }
  for (const n of [1, 2, 3]) {
    const user = await system.users.create({ id: `member-${n}@example.org`, name: 'Member' })
    people.users.push(user.id)
    people.roles.push((await system.roles.create({ name: `Relation ${n}` })).id)
    people.groups.push((await system.groups.create({ name: `Relation ${n}` })).id)
  }
  // The second group is a member of the third.
  await system.groups.update({ id: people.groups[1] ?? '', groups: [people.groups[2] ?? ''] })
  return people
}

const lists = {
  users: { first: 'roles', second: 'groups' },
  roles: { first: 'users', second: 'groups' },
  groups: { first: 'users', second: 'roles' },
} as const

async function doWrite(
  { system }: Bench,
  people: People,
  { kind, which, list, members }: Write,
): Promise<void> {
  const member = lists[kind][list]
  const ids = members.flatMap((index) => people[member][index] ?? [])
  const written = await system[kind].update({ id: people[kind][which] ?? '', [member]: ids })
  expect(sorted(Reflect.get(written, member))).toEqual(sorted(ids))
}

async function expectAgreement({ system }: Bench, people: People): Promise<void> {
  const users = await Promise.all(people.users.map((id) => system.users.get({ id })))
  const roles = await Promise.all(people.roles.map((id) => system.roles.get({ id })))
  const groups = await Promise.all(people.groups.map((id) => system.groups.get({ id })))
  for (const user of users) {
    for (const role of roles) expect(user.roles.includes(role.id)).toBe(role.users.includes(user.id))
    for (const group of groups) expect(user.groups.includes(group.id)).toBe(group.users.includes(user.id))
  }
  for (const role of roles)
    for (const group of groups) expect(group.roles.includes(role.id)).toBe(role.groups.includes(group.id))
}

/** The roles of a user, computed from the user and its groups. */
async function closure({ system }: Bench, userId: string): Promise<string[]> {
  const user = await system.users.get({ id: userId })
  const reached = new Set(user.groups)
  const roles = new Set(user.roles)
  for (const id of reached) {
    const group = await system.groups.get({ id })
    for (const outer of group.groups) reached.add(outer)
    for (const role of group.roles) roles.add(role)
  }
  return [...roles]
}

async function etagOf(
  ask: (onAnswer: (answer: { readonly etag: string | null }) => void) => Promise<unknown>,
): Promise<string> {
  let etag: string | null = null
  await ask((answer) => (etag = answer.etag))
  return etag ?? ''
}
