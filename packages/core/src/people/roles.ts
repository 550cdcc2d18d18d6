import { QuireError, type Contract, type OutputOf, type ParsedOf, type Role } from '@quire/contract'
import { bundlesOf } from '../engine/access/holdings.ts'
import type { RoleRecord } from '../engine/access/records.ts'
import type { Serialized } from '../engine/answer.ts'
import { type Call } from '../engine/call.ts'
import { recordsOf, plainRecord, sentMembers } from '../engine/record-rules.ts'
import type { RecordReader } from '../ports/index.ts'
import { auditEntry } from './audit.ts'
import { requireExisting, requireGrantableRoles, requireKnownKeys, requireMembership } from './grantable.ts'
import { requireAdministratorLeft } from './last-administrator.ts'
import { relate } from './relate.ts'
import { searchIdOf } from './search-id.ts'

type Roles = Contract['roles']

const records = recordsOf({
  kind: 'role',
  called: 'role',
  events: { created: 'ROLE_CREATED', updated: 'ROLE_UPDATED', deleted: 'ROLE_DELETED' },
  entry: auditEntry('role'),
  serialize: ({ branchOnly = false, revision: _revision, ...role }): Role => ({ ...role, branchOnly }),
})

/** All roles (specification 4.5). */
async function list({ store }: Call, input: ParsedOf<Roles['list']>): Promise<OutputOf<Roles['list']>> {
  return records.page(await store.records.list('role'), input)
}

/** Errors: `not_found`. */
async function get(call: Call, { id }: ParsedOf<Roles['get']>): Promise<Serialized<Role>> {
  return records.serialize(await records.require(call, id))
}

/**
 * Creates a role. Errors: `forbidden` for permissions that the caller does not hold; `name_taken`;
 * `invalid` for unknown permissions, users and groups.
 */
async function create(call: Call, input: ParsedOf<Roles['create']>): Promise<Serialized<Role>> {
  const id = call.environment.ids.next('ROLE')
  const role: RoleRecord = { id, searchId: searchIdOf(id), ...input }
  return call.write(async (call) => {
    requireKnownKeys(input, await bundlesOf(call.store.records))
    await requireExisting(call.store.records, { user: input.users, group: input.groups })
    await requireGrantableRoles(call, call.store.records, [role])
    const follow = () => relate(call, { kind: 'role', id, users: role.users, groups: role.groups })
    return records.serialize(await records.put(call, { before: null, after: role, follow }))
  })
}

/**
 * Changes the given members. The caller must hold everything that the role grants, both before and
 * after the change. Otherwise, a lesser administrator could weaken the role of a greater one, or
 * extend somebody's permissions. Errors: `not_found`, `forbidden`, `name_taken`,
 * `precondition_failed`, `last_administrator`; `invalid` for unknown permissions, users and groups.
 */
async function update(call: Call, { id, ...patch }: ParsedOf<Roles['update']>): Promise<Serialized<Role>> {
  return call.write(async (call) => {
    const before = await records.require(call, id)
    const role = plainRecord(before)
    const after = { ...role, ...sentMembers(patch) }
    requireKnownKeys(after, await bundlesOf(call.store.records))
    if (patch.users !== undefined || patch.groups !== undefined) requireMembership(call, [role])
    await requireExisting(call.store.records, { user: patch.users ?? [], group: patch.groups ?? [] })
    await requireGrantableRoles(call, call.store.records, [role, after])
    const follow = async () => {
      await relate(call, { kind: 'role', id, users: patch.users, groups: patch.groups })
      await requireAdministratorLeft(call)
    }
    return records.serialize(await records.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a role that nobody has and no item names. Errors: `not_found`, `forbidden`,
 * `role_in_use`, `precondition_failed`.
 */
async function remove(call: Call, { id }: ParsedOf<Roles['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const role = await records.require(call, id)
    await requireGrantableRoles(call, call.store.records, [role])
    if (await isHeld(call.store.records, role)) throw new QuireError('role_in_use')
    if (await call.store.entities.namesRole(id))
      throw new QuireError('role_in_use', 'Items name the role in their role lists.')
    return records.remove(call, role)
  })
}

async function isHeld(reader: RecordReader, role: RoleRecord): Promise<boolean> {
  if (role.users.length > 0 || role.groups.length > 0) return true
  const holders = [
    ...(await reader.list('serviceAccount')),
    ...(await reader.list('user')),
    ...(await reader.list('group')),
  ]
  return holders.some(({ roles }) => roles.includes(role.id))
}

/** Roles (specification 2.6). */
export const roles = { list, get, create, update, delete: remove }
