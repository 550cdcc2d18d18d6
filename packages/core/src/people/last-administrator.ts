import { QuireError } from '@quire/contract'
import type { Account } from '../engine/access/records.ts'
import { graphOf, type Graph } from '../engine/access/holdings.ts'
import { permissionsIn } from '../engine/access/identity.ts'
import { isAdministrator } from '../engine/access/permissions.ts'
import type { WriteCall } from '../engine/call.ts'
import { yieldingToLoop } from '../engine/event-loop.ts'
import type { RecordReader } from '../ports/index.ts'
import { nameIn, relate } from './relate.ts'

/**
 * To be called where a change may have taken rights: somebody must be left who holds every key everywhere, if there was one before
 * (TRUST S04). Errors: `last_administrator`.
 */
export async function requireAdministratorLeft(call: WriteCall): Promise<void> {
  if (call.identity.kind === 'system') return
  if (await hasAdministrator(call.store.records)) return
  if (await hasAdministrator(call.environment.store.records)) throw new QuireError('last_administrator')
}

async function hasAdministrator(records: RecordReader): Promise<boolean> {
  const graph = await graphOf(records)
  const yieldToLoop = yieldingToLoop()
  for (const account of await possibleAdministrators(records, graph)) {
    if (isAdministrator(permissionsIn(graph, account))) return true
    await yieldToLoop()
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

const nobody: ReadonlySet<string> = new Set()

/**
 * Takes a user or group out of every role, group and account that names it: one that is created later under the same id has nothing of
 * it (TRUST S31). Each is told in the audit.
 */
export async function forgetMember(
  call: WriteCall,
  { kind, id }: { kind: 'user' | 'group'; id: string },
): Promise<void> {
  if (kind === 'user') return relate(call, { kind, id, roles: [], groups: [] })
  await relate(call, { kind, id, roles: [], users: [] })
  // What names a group from its own end alone.
  await nameIn(call, { holder: 'group', member: 'groups', id, holders: nobody })
  await nameIn(call, { holder: 'serviceAccount', member: 'groups', id, holders: nobody })
}
