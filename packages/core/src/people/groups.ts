import type { Contract, Group, OutputOf, ParsedOf } from '@quire/contract'
import type { Serialized } from '../engine/answer.ts'
import { type Call } from '../engine/call.ts'
import { recordsOf, plainRecord, sentMembers } from '../engine/record-rules.ts'
import type { RecordReader, Stored } from '../ports/index.ts'
import { auditEntry } from './audit.ts'
import { forgetMember, requireAdministratorLeft } from './last-administrator.ts'
import { requireAssignable, requireExisting } from './grantable.ts'
import { relate } from './relate.ts'
import { searchIdOf } from './search-id.ts'

type Groups = Contract['groups']

const records = recordsOf({
  kind: 'group',
  called: 'group',
  events: { created: 'GROUP_CREATED', updated: 'GROUP_UPDATED', deleted: 'GROUP_DELETED' },
  entry: auditEntry('group'),
})

/** All groups (specification 4.5). */
async function list({ store }: Call, input: ParsedOf<Groups['list']>): Promise<OutputOf<Groups['list']>> {
  return records.page(await store.records.list('group'), input)
}

/** Errors: `not_found`. */
async function get(call: Call, { id }: ParsedOf<Groups['get']>): Promise<Serialized<Group>> {
  return records.serialize(await findGroup(call, id))
}

/**
 * Creates a group. Errors: `forbidden` for permissions that the caller does not hold; `name_taken`;
 * `invalid` naming a role, group or user that does not exist.
 */
async function create(call: Call, input: ParsedOf<Groups['create']>): Promise<Serialized<Group>> {
  const id = call.environment.ids.next('GRUP')
  const dates = { createdDate: call.now, updatedDate: call.now }
  const after: Group = { id, searchId: searchIdOf(id), ...input, ...dates }
  return call.write(async (call) => {
    await requireGrantableGroup(call, call.store.records, after)
    const follow = () => relate(call, { kind: 'group', id, roles: after.roles, users: after.users })
    return records.serialize(await records.put(call, { before: null, after, follow }))
  })
}

/**
 * Changes the given members. The caller must hold everything that the group grants, both before and
 * after the change. Errors: `not_found`, `forbidden`, `name_taken`, `last_administrator`,
 * `precondition_failed`; `invalid` naming a role, group or user that does not exist.
 */
async function update(call: Call, { id, ...patch }: ParsedOf<Groups['update']>): Promise<Serialized<Group>> {
  return call.write(async (call) => {
    const before = await findGroup(call, id)
    const group = plainRecord(before)
    const after: Group = { ...group, ...sentMembers(patch), updatedDate: call.now }
    await requireGrantableGroup(call, call.store.records, { ...group, users: [] })
    await requireGrantableGroup(call, call.store.records, after)
    const follow = async () => {
      await relate(call, { kind: 'group', id, roles: patch.roles, users: patch.users })
      await requireAdministratorLeft(call)
    }
    return records.serialize(await records.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a group. Its members lose what it granted with their next call. It is removed from
 * accounts, roles and groups. Errors: `not_found`, `forbidden`, `last_administrator`,
 * `precondition_failed`.
 */
async function remove(call: Call, { id }: ParsedOf<Groups['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const group = await findGroup(call, id)
    await requireGrantableGroup(call, call.store.records, { ...plainRecord(group), users: [] })
    await forgetMember(call, { kind: 'group', id })
    return records.remove(call, group, () => requireAdministratorLeft(call))
  })
}

/** Errors: `not_found`, `precondition_failed`. */
export function findGroup(call: Call, id: string): Promise<Stored<'group'>> {
  return records.require(call, id)
}

/**
 * Requires that the caller may grant everything that a group grants its members, by itself and by
 * the groups it is in. Errors: `forbidden`; `invalid` naming a role, group or user that does not
 * exist.
 */
async function requireGrantableGroup(
  call: Call,
  reader: RecordReader,
  { id, roles, groups, repos, users }: Group,
): Promise<void> {
  await requireExisting(reader, { user: users })
  // Checks an account that is only in this group, with an id that no account has.
  const member = { kind: 'service', id, branchOnly: false } as const
  await requireAssignable(call, reader, { ...member, roles, groups, repos })
  // Roles can name a group from their side, too. These grants count once the group exists.
  const existing = (await reader.get('group', id)) ? [id] : []
  await requireAssignable(call, reader, { ...member, roles: [], groups: existing, repos: [] })
}

/** Groups (specification 2.8). */
export const groups = { list, get, create, update, delete: remove }
