import { endpoints, QuireError, type Endpoint, type Permission } from '@quire/contract'
import type { Identity } from './engine/access/identity.ts'
import { mayDoSomewhere } from './engine/access/permissions.ts'
import type { Answer } from './engine/answer.ts'
import { keysOf, notPermitted, withComment, type Call, type OperationName } from './engine/call.ts'
import { checkInput } from './engine/check-input.ts'
import { operations, type AnyOperation } from './operations.ts'

/** Runs an operation within a call: see `Call.invoke`. */
export async function invoke(call: Call, name: OperationName, input: object): Promise<Answer<unknown>> {
  const [group = '', operationName = ''] = name.split('.')
  const { endpoint, operation } = findOperation(group, operationName)
  requireKeySomewhere(call.identity, endpoint.permission)
  const checked = checkInput(endpoint, input)
  return operation(withComment(call, checked), checked)
}

/** Refuses a caller who holds none of the keys anywhere. Errors: `unauthorized`, `forbidden`. */
export function requireKeySomewhere(identity: Identity, permission: Permission): void {
  // What is published is open to some: the operations look whether the repository is public.
  if (permission === 'public' || permission === 'published') return
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
  if (permission === 'authenticated') return
  const keys = keysOf(permission) ?? []
  if (keys.some((key) => mayDoSomewhere(identity.permissions, key))) return
  throw notPermitted(keys)
}

interface Performed {
  readonly endpoint: Endpoint
  readonly operation: AnyOperation
}

// The documented border between the typed maps and the loop over names: both maps are checked where they are written.
const operationsByName = operations as unknown as Readonly<
  Record<string, Readonly<Record<string, AnyOperation>>>
>

/** Every endpoint with what it does, by group and operation. */
const performed = performedByName()

function performedByName(): ReadonlyMap<string, ReadonlyMap<string, Performed>> {
  const groups = new Map<string, Map<string, Performed>>()
  for (const { group, operation: name, endpoint } of endpoints) {
    const operation = operationsByName[group]?.[name]
    if (!operation) continue
    const named = groups.get(group) ?? new Map<string, Performed>()
    groups.set(group, named.set(name, { endpoint, operation }))
  }
  return groups
}

/** An operation of the contract. Errors: `not_found`. */
export function findOperation(group: string, name: string): Performed {
  const found = performed.get(group)?.get(name)
  if (!found) throw new QuireError('not_found', `There is no operation ${group}.${name}.`)
  return found
}
