import { QuireError, type Package, type Resolution } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import { isReader, letsThrough } from '../../engine/access/role-lists.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { removesReaders, requireHeldRole, roleLists } from '../../content/items/check.ts'
import { isLive } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import type { IncomingEdge, OwnHead } from '../../ports/index.ts'
import { branchRulesOf } from './kinds.ts'
import type { PlannedChange } from './change.ts'
import type { ChangeSides } from './sides.ts'

/** The members of a head that decide who may read it. */
type ReadableHead = Pick<OwnHead, 'kind' | 'repositoryId' | 'type' | 'mainReaders'> & {
  readonly roles: Pick<OwnHead['roles'], 'read'>
}

/** Whether the caller may read a head: by permission key, for its type, and by its read roles. */
export function mayReadHead(call: Call, head: ReadableHead): boolean {
  const rules = branchRulesOf(head.kind)
  const { permissions } = call.identity
  return mayDo(permissions, rules.keys.read, rules.target(head)) && isReader(permissions, head)
}

/** The sources of edges that the caller may read, as errors and conflicts name them. */
export function namedHolders(call: Call, edges: readonly IncomingEdge[]): { id: string; path: string }[] {
  const readable = edges.filter(({ source }) => mayReadHead(call, source))
  return readable.map(({ source, path }) => ({ id: source.id, path }))
}

/**
 * Whether the caller may read the base of a change, both as it was then and as it is on main now.
 */
export function mayReadBase(call: Call, { rules, head, base, mainHead }: ChangeSides): boolean {
  if (mainHead && !mayReadHead(call, mainHead)) return false
  if (base === null) return true
  const { repositoryId } = head
  return letsThrough(call.identity.permissions, { repositoryId, roles: rules.readers(base.content) })
}

/**
 * Checks that the caller may read every change of a package. Conflicts would otherwise reveal
 * content that the caller may not read. Errors: `forbidden`.
 */
export function requireReadable(call: Call, changes: Iterable<ChangeSides>): void {
  for (const change of changes) {
    if (mayReadHead(call, change.head) && mayReadBase(call, change)) continue
    throw unreadable()
  }
}

function unreadable(): QuireError {
  return new QuireError('forbidden', 'The package contains changes that you may not read.')
}

/**
 * Errors: `forbidden` without the permission key for the type, or when the entity's role list
 * excludes the caller.
 */
export function requireWriting(call: Call, head: OwnHead, what: 'update' | 'delete'): void {
  const { kind, repositoryId, roles } = head
  if (!mayReadHead(call, head)) throw unreadable()
  const rules = branchRulesOf(kind)
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

/**
 * Deleting a package deletes its changes, so the caller must be allowed to read and change each of
 * them.
 * Errors: `forbidden`.
 */
export function requireDiscardable(call: Call, head: OwnHead): void {
  const { id, repositoryId, roles } = head
  if (!mayReadHead(call, head)) throw unreadable()
  if (letsThrough(call.identity.permissions, { repositoryId, roles: roles.write })) return
  throw new QuireError('forbidden', `Only holders of certain roles may update ${id}.`)
}

/**
 * An agent may write into packages of others, but destroy only what is in its own: neither what people made, nor the merge by which it can be taken back. Errors:
 * `forbidden`.
 */
export function requireOwnWork(
  { identity }: Call,
  { createdByUser, state }: Pick<Package, 'createdByUser' | 'state'>,
): void {
  if (!identity.isAgent) return
  if (createdByUser.userName === identity.ref.userName && state !== 'merged') return
  throw new QuireError(
    'forbidden',
    'With branchOnly you delete packages and drop changes only where you made the package and it is not merged.',
  )
}

/**
 * A merge that publishes or unpublishes an entity, or restricts who may read a published one, needs
 * the permission to publish it. Errors: `forbidden`.
 */
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
  return removesReaders(rules.readers(theirs.content), rules.readers(merged.content))
}

/**
 * A resolution with a value is a change by the caller and needs the same permissions. Errors:
 * `forbidden`.
 */
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

/** A role list that neither side has is the caller's own. Errors: `forbidden`. */
function requireOwnRoles(call: Call, { head: { repositoryId }, merged, ours, theirs }: PlannedChange): void {
  for (const list of roleLists) {
    const value = merged?.content[list]
    if (!Array.isArray(value) || [ours, theirs].some((side) => isSame(side?.content[list] ?? [], value)))
      continue
    requireHeldRole(call, list, { repositoryId, roles: value.map(String) })
  }
}

/**
 * Checks that the role lists of each entity on main allow the caller to change or delete it.
 * Errors: `forbidden`.
 */
export function requireWritable(call: Call, changes: readonly PlannedChange[]): void {
  for (const { mainHead, merged } of changes) {
    if (!mainHead) continue
    const { repositoryId, roles: lists } = mainHead
    const roles = isLive(merged) ? lists.write : lists.delete
    if (letsThrough(call.identity.permissions, { repositoryId, roles })) continue
    throw new QuireError(
      'forbidden',
      'The package changes something that only holders of certain roles may change.',
    )
  }
}
