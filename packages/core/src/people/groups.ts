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

/** One group. Errors: `not_found`. */
async function get(call: Call, { id }: ParsedOf<Groups['get']>): Promise<Serialized<Group>> {
  return records.serialize(await findGroup(call, id))
}

/** Creates a group. Errors: `forbidden` when it gives what the caller lacks; `name_taken`; `invalid` naming what does not exist. */
async function create(call: Call, input: ParsedOf<Groups['create']>): Promise<Serialized<Group>> {
  const id = call.environment.ids.next('GRUP')
  const dates = { createdDate: call.now, updatedDate: call.now }
  const after: Group = { id, searchId: searchIdOf(id), ...input, ...dates }
  return call.write(async (call) => {
    await requireGivable(call, call.store.records, after)
    const follow = () => relate(call, { kind: 'group', id, roles: after.roles, users: after.users })
    return records.serialize(await records.put(call, { before: null, after, follow }))
  })
}

/**
 * Changes what is sent. What the group gave and will give must both be within what the caller holds.
 * Errors: `not_found`, `forbidden`, `name_taken`, `last_administrator`, `precondition_failed`, `invalid` naming what does not exist.
 */
async function update(call: Call, { id, ...patch }: ParsedOf<Groups['update']>): Promise<Serialized<Group>> {
  return call.write(async (call) => {
    const before = await findGroup(call, id)
    const group = plainRecord(before)
    const after: Group = { ...group, ...sentMembers(patch), updatedDate: call.now }
    await requireGivable(call, call.store.records, { ...group, users: [] })
    await requireGivable(call, call.store.records, after)
    const follow = async () => {
      await relate(call, { kind: 'group', id, roles: patch.roles, users: patch.users })
      await requireAdministratorLeft(call)
    }
    return records.serialize(await records.put(call, { before, after, follow }))
  })
}

/**
 * Deletes a group: who is in it loses what it gave, with the next call. Accounts, roles and groups that name it forget it.
 * Errors: `not_found`, `forbidden`, `last_administrator`, `precondition_failed`.
 */
async function remove(call: Call, { id }: ParsedOf<Groups['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const group = await findGroup(call, id)
    await requireGivable(call, call.store.records, { ...plainRecord(group), users: [] })
    await forgetMember(call, { kind: 'group', id })
    return records.remove(call, group, () => requireAdministratorLeft(call))
  })
}

/** Errors: `not_found`, `precondition_failed`. */
export function findGroup(call: Call, id: string): Promise<Stored<'group'>> {
  return records.require(call, id)
}

/**
 * All that a group gives its members, by itself and by the groups it is in, must be the caller's to give.
 * Errors: `forbidden`; `invalid` naming a role, group or user that does not exist.
 */
async function requireGivable(
  call: Call,
  reader: RecordReader,
  { id, roles, groups, repos, users }: Group,
): Promise<void> {
  await requireExisting(reader, { user: users })
  // As somebody would hold it who is in this group alone, under an id that is nobody's.
  await requireAssignable(call, reader, { kind: 'service', id, roles, groups, repos })
  // Roles may name a group from their end too: what it is given so counts once it is there.
  const existing = (await reader.get('group', id)) ? [id] : []
  await requireAssignable(call, reader, { kind: 'service', id, roles: [], groups: existing, repos: [] })
}

/** Groups (specification 2.8). */
export const groups = { list, get, create, update, delete: remove }
