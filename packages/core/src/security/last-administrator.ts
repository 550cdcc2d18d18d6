import { permissionKeys, QuireError } from '@quire/contract'
import type { Account } from '../access/account.ts'
import { graphOf, type Graph } from '../access/holdings.ts'
import { permissionsIn } from '../access/identity.ts'
import { mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import type { RecordReader, Transaction } from '../ports/index.ts'

/**
 * To be called where a change may have taken rights: somebody must be left who holds every key everywhere, if there was one before
 * (TRUST S04). Errors: `last_administrator`.
 */
export async function requireAdministratorLeft(call: Call, tx: Transaction): Promise<void> {
  if (call.identity.kind === 'system') return
  if (await hasAdministrator(tx.records)) return
  if (await hasAdministrator(call.environment.store.records)) throw new QuireError('last_administrator')
}

async function hasAdministrator(records: RecordReader): Promise<boolean> {
  const graph = await graphOf(records)
  const takeTurns = takingTurns()
  for (const account of await possibleAdministrators(records, graph)) {
    const permissions = permissionsIn(graph, account)
    if (permissionKeys.every((key) => mayDo(permissions, key))) return true
    await takeTurns()
  }
  return false
}

/** Accounts that may call now and have any role. Those of programs first: there are few of them. */
async function possibleAdministrators(records: RecordReader, graph: Graph) {
  const [accounts, users] = await Promise.all([records.list('serviceAccount'), records.list('user')])
  const hasAny = ({ roles, groups }: Pick<Account, 'roles' | 'groups'>) => roles.length + groups.length > 0
  const isNamed = (id: string) => graph.rolesOfUser.has(id) || graph.groupsOfUser.has(id)
  return [
    ...accounts
      // One that runs out is none that is left.
      .filter((account) => account.enabled && account.expiresAt === null && hasAny(account))
      .map((account) => ({ ...account, kind: 'service' as const, repos: [] })),
    ...users
      .filter((user) => user.enabled && (hasAny(user) || isNamed(user.id)))
      .map((user) => ({ ...user, kind: 'user' as const })),
  ]
}
