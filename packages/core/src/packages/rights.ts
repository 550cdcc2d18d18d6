import { QuireError, type Resolution } from '@quire/contract'
import { holdsOneOf, mayDo } from '../access/permissions.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { isLive } from '../merge/entity.ts'
import type { IncomingEdge, OwnHead } from '../ports/index.ts'
import { rulesOf } from './kinds.ts'
import type { PlannedChange } from './planned-change.ts'
import type { ChangeSides } from './sides.ts'

/** Whether the caller may read a head: by key, on its type, and by its read roles. */
export function mayReadHead(call: Call, head: OwnHead): boolean {
  const rules = rulesOf(head.kind)
  const { permissions } = call.identity
  return mayDo(permissions, rules.keys.read, rules.target(head)) && holdsOneOf(permissions, head.roles.read)
}

/** Those of some edges whose source the caller may read, as errors and conflicts name them. */
export function namedHolders(call: Call, edges: readonly IncomingEdge[]): { id: string; path: string }[] {
  const readable = edges.filter(({ source }) => mayReadHead(call, source))
  return readable.map(({ source, path }) => ({ id: source.id, path }))
}

/** Whether the caller may read what a change started from: as it was then, and as main has it now. */
export function mayReadBase(call: Call, { rules, base, mainHead }: ChangeSides): boolean {
  if (mainHead && !mayReadHead(call, mainHead)) return false
  return base === null || holdsOneOf(call.identity.permissions, rules.readers(base.content))
}

/** Who cannot read all of it cannot judge it, and would learn of it by what it conflicts with. Errors: `forbidden`. */
export function requireReadable(call: Call, changes: Iterable<ChangeSides>): void {
  for (const change of changes) {
    if (mayReadHead(call, change.head) && mayReadBase(call, change)) continue
    throw new QuireError('forbidden', 'The package holds what you may not read.')
  }
}

/** Errors: `forbidden` without the key on its type, or when its role list for that does not let the caller through. */
export function requireWriting(call: Call, head: OwnHead, what: 'update' | 'delete'): void {
  const { kind, roles } = head
  if (!mayReadHead(call, head)) throw new QuireError('forbidden', 'The package holds what you may not read.')
  const rules = rulesOf(kind)
  requirePermission(call, rules.keys[what], rules.target(head))
  if (holdsOneOf(call.identity.permissions, what === 'delete' ? roles.delete : roles.write)) return
  throw new QuireError('forbidden', `Only holders of certain roles may ${what} ${head.id}.`)
}

/** Who drops a package drops what it holds: nobody does that to what they may not read or change. Errors: `forbidden`. */
export function requireUnlimited(call: Call, head: OwnHead): void {
  const { id, roles } = head
  if (!mayReadHead(call, head)) throw new QuireError('forbidden', 'The package holds what you may not read.')
  if (holdsOneOf(call.identity.permissions, roles.write)) return
  throw new QuireError('forbidden', `Only holders of certain roles may update ${id}.`)
}

/** To merge what publishes or takes back is to publish or take back. Errors: `forbidden`. */
export function requirePublishing(call: Call, changes: readonly PlannedChange[]): void {
  for (const { rules, head, merged, theirs } of changes) {
    if (!merged || (merged.published ?? null) === (theirs?.published ?? null)) continue
    if (rules.states)
      requirePermission(call, rules.states.publishKey, { repositoryId: head.repositoryId, type: head.type })
  }
}

/** A value of one's own is a change like any other. Errors: `forbidden`. */
export function requireOwnValues(
  call: Call,
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
): void {
  const ids = new Set(resolutions.flatMap((resolution) => ('value' in resolution ? resolution.id : [])))
  for (const { head } of changes) if (ids.has(head.id)) requireWriting(call, head, 'update')
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
