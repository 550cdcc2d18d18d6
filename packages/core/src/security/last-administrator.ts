import { permissionKeys, QuireError } from '@quire/contract'
import type { Account } from '../access/account.ts'
import { permissionsFor } from '../access/identity.ts'
import { mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import type { RecordReader, Transaction } from '../ports/index.ts'

/**
 * To be called where a change may have taken rights: somebody must be left who holds every key everywhere, if there was one before
 * (TRUST S04). Errors: `last_administrator`.
 */
export async function requireAdministratorLeft(call: Call, tx: Transaction): Promise<void> {
  if (call.identity.kind === 'system') return
  if (await hasAdministrator(tx.records, call.now)) return
  if (await hasAdministrator(call.environment.store.records, call.now))
    throw new QuireError('last_administrator')
}

async function hasAdministrator(records: RecordReader, now: number): Promise<boolean> {
  for (const account of await possibleAdministrators(records, now)) {
    const permissions = await permissionsFor(records, account)
    if (permissionKeys.every((key) => mayDo(permissions, key))) return true
  }
  return false
}

/** Accounts that may call now and have any role. Those of programs first: there are few of them. */
async function possibleAdministrators(records: RecordReader, now: number) {
  const [accounts, users, roles, groups] = await Promise.all([
    records.list('serviceAccount'),
    records.list('user'),
    records.list('role'),
    records.list('group'),
  ])
  const named = new Set([...roles, ...groups].flatMap((holder) => holder.users))
  const isPossible = ({
    enabled,
    roles: own,
    groups: within,
  }: Pick<Account, 'enabled' | 'roles' | 'groups'>) => enabled && own.length + within.length > 0
  return [
    ...accounts
      .filter((account) => isPossible(account) && (account.expiresAt ?? Number.POSITIVE_INFINITY) > now)
      .map(({ id, roles: own, groups: within }) => ({
        kind: 'service' as const,
        id,
        roles: own,
        groups: within,
        repos: [],
      })),
    ...users
      .filter((user) => isPossible(user) || (user.enabled && named.has(user.id)))
      .map((user) => ({ ...user, kind: 'user' as const })),
  ]
}
