import { foldersWithin } from '../../content/items/listing.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { letsThrough } from '../../engine/access/role-lists.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Side } from '../../content/merge/entity.ts'
import type { Entity, OwnHead } from '../../ports/index.ts'
import type { PlannedChange } from '../packages/change.ts'
import { conflictsOf } from '../packages/find-conflicts.ts'
import { branchRulesOf, branchKinds } from '../packages/kinds.ts'
import { mayReadHead } from '../packages/rights.ts'
import { headsOf, ownPages, refKey } from '../packages/sides.ts'

/** What a file has, and what it covers. */
interface Covered {
  /** By `refKey`. */
  readonly known: ReadonlySet<string>
  /** Undefined: the whole repository. */
  readonly folderId: string | undefined
}

/**
 * The deletions of everything on main that a file covers and does not have, as far as the caller may
 * read and delete it.
 */
export async function planDeletes(
  call: Call,
  main: Scope,
  { known, folderId }: Covered,
): Promise<readonly PlannedChange[]> {
  const { entities } = call.store
  const folders = folderId === undefined ? null : await foldersWithin(entities, main.branch, folderId)
  const changes: PlannedChange[] = []
  for await (const page of ownPages(entities, main.branch)) {
    const absent = page.filter(
      (head) => !known.has(refKey(head)) && (!folders || isIn(folders, head)) && mayPrune(call, head),
    )
    const heads = await headsOf(entities, main.branch, absent)
    changes.push(...[...heads.values()].map(deletionOf))
  }
  const together = await conflictsOf(call, main, changes)
  return changes.map((change) => ({ ...change, conflicts: together.get(refKey(change.head)) ?? [] }))
}

/** Whether a head is one of the folders, or an item in one. */
function isIn(folders: readonly string[], { kind, id, parentId }: OwnHead): boolean {
  if (kind === 'folder') return folders.includes(id)
  return kind === 'item' && parentId !== null && folders.includes(parentId)
}

function mayPrune(call: Call, head: OwnHead): boolean {
  const rules = branchKinds.find(({ kind }) => kind === head.kind)
  if (!rules || head.deletedDate !== null || !mayReadHead(call, head)) return false
  const { permissions } = call.identity
  const { repositoryId, roles } = head
  return (
    mayDo(permissions, rules.keys.delete, rules.target(head)) &&
    letsThrough(permissions, { repositoryId, roles: roles.delete })
  )
}

function deletionOf(head: Entity): PlannedChange {
  const rules = branchRulesOf(head.kind)
  const { archived, publishedVersion: published } = head
  const theirs: Side = { content: rules.content(head), archived, deleted: false, published }
  const ours = { ...theirs, deleted: true }
  return {
    rules,
    head,
    mainHead: head,
    base: theirs,
    isBaseLost: false,
    ours,
    theirs,
    merged: ours,
    conflicts: [],
  }
}
