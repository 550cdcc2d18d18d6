import { QuireError } from '@quire/contract'
import { accountOfService, accountOfUser, type Account } from '../engine/access/records.ts'
import { graphOf, type Graph } from '../engine/access/holdings.ts'
import { permissionsIn } from '../engine/access/identity.ts'
import { isAdministrator } from '../engine/access/permissions.ts'
import type { WriteCall } from '../engine/call.ts'
import { yieldingToLoop } from '../engine/event-loop.ts'
import type { RecordReader } from '../ports/index.ts'
import { nameIn, relate } from './relate.ts'

/**
 * To be called after a change that may remove permissions. An account with every permission
 * everywhere must remain if there was one before (TRUST S04). Errors: `last_administrator`.
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

/** Enabled accounts with any role. Service accounts come first, because there are few of them. */
async function possibleAdministrators(records: RecordReader, graph: Graph) {
  const [accounts, users] = await Promise.all([records.list('serviceAccount'), records.list('user')])
  const hasAny = ({ roles, groups }: Pick<Account, 'roles' | 'groups'>) => roles.length + groups.length > 0
  const isNamed = (id: string) => graph.rolesOfUser.has(id) || graph.groupsOfUser.has(id)
  return [
    ...accounts
      // An account with an expiry does not count, because it will not remain.
      .filter((account) => account.enabled && account.expiresAt === null && hasAny(account))
      .map(accountOfService),
    ...users.filter((user) => user.enabled && (hasAny(user) || isNamed(user.id))).map(accountOfUser),
  ]
}

const nobody: ReadonlySet<string> = new Set()

/**
 * Removes a user or group from every role, group and account that names it, so that one created
 * later with the same id inherits nothing (TRUST S31). Each change is in the audit log.
 */
export async function forgetMember(
  call: WriteCall,
  { kind, id }: { kind: 'user' | 'group'; id: string },
): Promise<void> {
  if (kind === 'user') return relate(call, { kind, id, roles: [], groups: [] })
  await relate(call, { kind, id, roles: [], users: [] })
  // These name a group only from their own side.
  await nameIn(call, { holder: 'group', member: 'groups', id, holders: nobody })
  await nameIn(call, { holder: 'serviceAccount', member: 'groups', id, holders: nobody })
}
