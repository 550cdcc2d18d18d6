import { QuireError } from '@quire/contract'
import { holdsOneOf, mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { isLive } from '../merge/entity.ts'
import type { OwnHead } from '../ports/index.ts'
import { rulesOf } from './kinds.ts'
import type { PlannedChange } from './planned-change.ts'

/** Whether the caller may read a head: by key, on its type, and by its read roles. */
export function mayReadHead(call: Call, { kind, repositoryId, type, roles }: OwnHead): boolean {
  const { permissions } = call.identity
  return (
    mayDo(permissions, rulesOf(kind).readKey, { repositoryId, type }) && holdsOneOf(permissions, roles.read)
  )
}

/** Who cannot read all of it cannot judge it, and would learn of it by what it conflicts with. Errors: `forbidden`. */
export function requireReadable(call: Call, heads: Iterable<OwnHead | null>): void {
  for (const head of heads) {
    if (!head || mayReadHead(call, head)) continue
    throw new QuireError('forbidden', 'The package holds what you may not read.')
  }
}

/** Errors: `forbidden` when the caller is not let through by the role list for changing an entity. */
export function requireWriteRole(call: Call, { roles }: OwnHead): void {
  if (holdsOneOf(call.identity.permissions, roles.write)) return
  throw new QuireError('forbidden', 'Only holders of certain roles may write this item.')
}

/** Only who is let through by an entity's role lists on main may bring what changes it. Errors: `forbidden`. */
export function requireWritable(call: Call, changes: readonly PlannedChange[]): void {
  for (const { mainHead, merged } of changes) {
    if (!mainHead) continue
    const { roles } = mainHead
    if (holdsOneOf(call.identity.permissions, isLive(merged) ? roles.write : roles.delete)) continue
    throw new QuireError(
      'forbidden',
      'Only holders of certain roles may change some of what the package holds.',
    )
  }
}
