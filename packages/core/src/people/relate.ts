import type { WriteCall } from '../engine/call.ts'
import { securityEvent } from './audit.ts'

type Kind = 'role' | 'group' | 'user' | 'serviceAccount'

/**
 * A record at one end of relations, and the new ids in its lists. An absent list stays as it is.
 */
interface Relations {
  readonly kind: 'role' | 'user' | 'group'
  readonly id: string
  readonly roles?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
  readonly users?: readonly string[] | undefined
}

/**
 * Writes the other end of the relations of a role, user or group: the listed records name it back,
 * and no others do. Each list can thus be read and written at either end (specification 2.6 to
 * 2.8). A group's `groups` are those that it is in; they have no list of their members. Each
 * changed record is in the audit log. Cost: reads all records of the listed kinds.
 */
export async function relate(call: WriteCall, { kind, id, roles, groups, users }: Relations): Promise<void> {
  const named = [
    { holder: 'role', ids: roles },
    { holder: 'user', ids: users },
    ...(kind === 'group' ? [] : [{ holder: 'group', ids: groups } as const]),
  ] as const
  for (const { holder, ids } of named) {
    if (ids) await nameIn(call, { holder, member: `${kind}s`, id, holders: new Set(ids) })
  }
}

interface ListEntry {
  readonly holder: Kind
  readonly member: 'roles' | 'users' | 'groups'
  readonly id: string
  /** The ids of the records whose list is to contain the id. */
  readonly holders: ReadonlySet<string>
}

/**
 * Adds an id to one of the lists of the given records of a kind, and removes it from all others of
 * the kind.
 */
export async function nameIn(call: WriteCall, { holder, member, id, holders }: ListEntry): Promise<void> {
  for (const { revision, ...record } of await call.store.records.list(holder)) {
    const ids: readonly string[] = member in record ? Reflect.get(record, member) : []
    const isNamed = holders.has(record.id)
    if (ids.includes(id) === isNamed) continue
    const changed = { ...record, [member]: isNamed ? [...ids, id] : ids.filter((other) => other !== id) }
    await call.store.records.put(holder, changed, revision)
    await call.record(
      securityEvent(call, events[holder], { kind: holder, id: record.id, before: record, after: changed }),
    )
  }
}

const events = {
  role: 'ROLE_UPDATED',
  group: 'GROUP_UPDATED',
  user: 'USER_UPDATED',
  serviceAccount: 'SERVICE_ACCOUNT_UPDATED',
} as const
