import type { WriteCall } from '../engine/call.ts'
import { securityEvent } from './audit.ts'

type Kind = 'role' | 'group' | 'user' | 'serviceAccount'

/** A record at one end of a relation, and the ids of the other end that its lists are to hold; a list that is left out stays as it is. */
interface End {
  readonly kind: 'role' | 'user' | 'group'
  readonly id: string
  readonly roles?: readonly string[] | undefined
  readonly groups?: readonly string[] | undefined
  readonly users?: readonly string[] | undefined
}

/**
 * Writes the other end of what a role, user or group names: whoever is named names it back, and nobody else does. So each list can be read and
 * written at either end (specification 2.6 to 2.8). A group's `groups` are those that it is in, which have no list of who is in them.
 * Each record that changes is told in the audit. Cost: one walk over the kinds that are named.
 */
export async function relate(call: WriteCall, { kind, id, roles, groups, users }: End): Promise<void> {
  const named = [
    { holder: 'role', ids: roles },
    { holder: 'user', ids: users },
    ...(kind === 'group' ? [] : [{ holder: 'group', ids: groups } as const]),
  ] as const
  for (const { holder, ids } of named) {
    if (ids) await nameIn(call, { holder, member: `${kind}s`, id, holders: new Set(ids) })
  }
}

interface Naming {
  readonly holder: Kind
  readonly member: 'roles' | 'users' | 'groups'
  readonly id: string
  /** The ids of the records that name it. */
  readonly holders: ReadonlySet<string>
}

/** Makes the given records of a kind name an id in one of their lists, and no others. */
export async function nameIn(call: WriteCall, { holder, member, id, holders }: Naming): Promise<void> {
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
