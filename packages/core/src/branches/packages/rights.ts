import { QuireError, type Resolution } from '@quire/contract'
import { letsThrough, mayDo } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { closes, requireNamed, roleLists } from '../../content/items/role-lists.ts'
import { isLive } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import type { IncomingEdge, OwnHead } from '../../ports/index.ts'
import { rulesOf } from './kinds.ts'
import type { PlannedChange } from './change.ts'
import type { ChangeSides } from './sides.ts'

/** Whether the caller may read a head: by key, on its type, and by its read roles. */
export function mayReadHead(call: Call, head: OwnHead): boolean {
  const rules = rulesOf(head.kind)
  const { permissions } = call.identity
  return (
    mayDo(permissions, rules.keys.read, rules.target(head)) &&
    letsThrough(permissions, { repositoryId: head.repositoryId, roles: head.roles.read })
  )
}

/** Those of some edges whose source the caller may read, as errors and conflicts name them. */
export function namedHolders(call: Call, edges: readonly IncomingEdge[]): { id: string; path: string }[] {
  const readable = edges.filter(({ source }) => mayReadHead(call, source))
  return readable.map(({ source, path }) => ({ id: source.id, path }))
}

/** Whether the caller may read what a change started from: as it was then, and as main has it now. */
export function mayReadBase(call: Call, { rules, head, base, mainHead }: ChangeSides): boolean {
  if (mainHead && !mayReadHead(call, mainHead)) return false
  if (base === null) return true
  const { repositoryId } = head
  return letsThrough(call.identity.permissions, { repositoryId, roles: rules.readers(base.content) })
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
  const { kind, repositoryId, roles } = head
  if (!mayReadHead(call, head)) throw new QuireError('forbidden', 'The package holds what you may not read.')
  const rules = rulesOf(kind)
  requirePermission(call, rules.keys[what], { ...rules.target(head), packageId: head.packageId })
  if (
    letsThrough(call.identity.permissions, {
      repositoryId,
      roles: what === 'delete' ? roles.delete : roles.write,
    })
  )
    return
  throw new QuireError('forbidden', `Only holders of certain roles may ${what} ${head.id}.`)
}

/** Who drops a package drops what it holds: nobody does that to what they may not read or change. Errors: `forbidden`. */
export function requireUnlimited(call: Call, head: OwnHead): void {
  const { id, repositoryId, roles } = head
  if (!mayReadHead(call, head)) throw new QuireError('forbidden', 'The package holds what you may not read.')
  if (letsThrough(call.identity.permissions, { repositoryId, roles: roles.write })) return
  throw new QuireError('forbidden', `Only holders of certain roles may update ${id}.`)
}

/** To merge what publishes or takes back is to publish or take back; so is to close what is published. Errors: `forbidden`. */
export function requirePublishing(call: Call, changes: readonly PlannedChange[]): void {
  for (const change of changes) {
    const { rules, head } = change
    if (!rules.states || !(movesPublished(change) || closesPublished(change))) continue
    requirePermission(call, rules.states.publishKey, { repositoryId: head.repositoryId, type: head.type })
  }
}

function movesPublished({ merged, theirs }: PlannedChange): boolean {
  return merged !== null && (merged.published ?? null) !== (theirs?.published ?? null)
}

function closesPublished({ rules, merged, theirs }: PlannedChange): boolean {
  if (!merged || !theirs || theirs.published === null || theirs.archived) return false
  return closes(rules.readers(theirs.content), rules.readers(merged.content))
}

/** A value of one's own is a change like any other. Errors: `forbidden`. */
export function requireOwnValues(
  call: Call,
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
): void {
  const ids = new Set(resolutions.flatMap((resolution) => ('value' in resolution ? resolution.id : [])))
  for (const change of changes) {
    if (!ids.has(change.head.id)) continue
    requireWriting(call, change.head, 'update')
    requireOwnRoles(call, change)
  }
}

/** A role list of neither side is the merger's own. Errors: `forbidden`. */
function requireOwnRoles(call: Call, { head: { repositoryId }, merged, ours, theirs }: PlannedChange): void {
  for (const list of roleLists) {
    const value = merged?.content[list]
    if (!Array.isArray(value) || [ours, theirs].some((side) => isSame(side?.content[list] ?? [], value)))
      continue
    requireNamed(call, list, { repositoryId, roles: value.map(String) })
  }
}

/** Only who is let through by an entity's role lists on main may bring what changes it. Errors: `forbidden`. */
export function requireWritable(call: Call, changes: readonly PlannedChange[]): void {
  for (const { mainHead, merged } of changes) {
    if (!mainHead) continue
    const { repositoryId, roles: lists } = mainHead
    const roles = isLive(merged) ? lists.write : lists.delete
    if (letsThrough(call.identity.permissions, { repositoryId, roles })) continue
    throw new QuireError(
      'forbidden',
      'Only holders of certain roles may change some of what the package holds.',
    )
  }
}
