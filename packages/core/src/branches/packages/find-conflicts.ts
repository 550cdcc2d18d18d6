import { limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import { isLive, type EntityConflict, type Side } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { conflictAt, type ChangeSet, type PlannedChange } from './change.ts'
import { refKey, headsOf } from './sides.ts'
import type { ContentTarget } from '../../content/kinds/branch-kind.ts'
import { namedHolders } from './rights.ts'
import type { EntityRef, JsonObject } from '../../ports/index.ts'

/**
 * Finds the conflicts that changes cause together on main, besides those of each change alone:
 * slugs and unique values that are in use, references to deleted entities, moves that close a
 * cycle, and merged values that the content type does not allow. Keyed by `refKey`; a change
 * without conflicts is absent.
 */
export async function conflictsOf(
  call: Call,
  scope: Scope,
  changes: readonly PlannedChange[],
): Promise<ConflictsByEntity> {
  const changeSet: ChangeSet = {
    call,
    main: mainOf(scope),
    changes: new Map(changes.map((change) => [refKey(change.head), change])),
  }
  const yieldToLoop = yieldingToLoop()
  const conflicts = new Map<string, readonly EntityConflict[]>()
  const missing = await missingTargets(changeSet)
  const inTrees = await treeConflicts(changeSet)
  const duplicates = await duplicateNames(changeSet)
  for (const [key, change] of changeSet.changes) {
    const found = [
      ...(await conflictsOfChange(changeSet, change)),
      ...(missing.get(key) ?? []),
      ...(inTrees.get(key) ?? []),
      ...(duplicates.get(key) ?? []),
    ]
    if (found.length > 0) conflicts.set(key, found)
    await yieldToLoop()
  }
  return conflicts
}

async function conflictsOfChange(changeSet: ChangeSet, change: PlannedChange): Promise<EntityConflict[]> {
  const { merged, theirs } = change
  if (!isLive(merged)) return isLive(theirs) ? holdersOfDeleted(changeSet, change) : []
  if (theirs && !theirs.deleted && isSame(merged.content, theirs.content)) return []
  return [
    ...(await slugConflict(changeSet, change, merged)),
    ...(await valueConflicts(changeSet, change, merged)),
    ...(await invalidValues(changeSet, change, merged)),
  ]
}

/**
 * Names or slugs that two siblings would share after the merge, although no single side has both:
 * the package moves an entity, and main renames it.
 */
async function duplicateNames({ call, changes }: ChangeSet): Promise<Map<string, readonly EntityConflict[]>> {
  const holders = new Set<string>()
  const conflicts = new Map<string, readonly EntityConflict[]>()
  for (const [key, change] of changes) {
    const { rules, head, merged } = change
    const path = rules.namedBy
    if (path === null || !isLive(merged)) continue
    const claims = (await rules.claims(call, head, merged.content)).map((claim) => `${head.kind} ${claim}`)
    if (claims.some((claim) => holders.has(claim)))
      conflicts.set(key, [conflictAt(change, { kind: 'value_taken', path, content: merged.content })])
    for (const claim of claims) holders.add(claim)
  }
  return conflicts
}

async function slugConflict(
  { call, main, changes }: ChangeSet,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  const { kind, id } = change.head
  const slug = content['slug']
  if (typeof slug !== 'string' || (isLive(change.theirs) && change.theirs.content['slug'] === slug)) return []
  const holder = await call.store.entities.getBySlug(main.branch, { kind, slug })
  if (!holder || holder.id === id || !retainsSlug(changes.get(refKey(holder)), slug)) return []
  return [conflictAt(change, { kind: 'slug_taken', path: 'slug', content })]
}

/** Whether the holder of a slug on main still has it after the merge. */
function retainsSlug(holder: PlannedChange | undefined, slug: string): boolean {
  if (!holder) return true
  return isLive(holder.merged) && holder.merged.content['slug'] === slug
}

async function valueConflicts(
  { call, main, changes }: ChangeSet,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  const { kind, id, type } = change.head
  const inUse = await change.rules.inUse(call, { scope: main, id, type, content })
  const conflicts: EntityConflict[] = []
  for (const { path, holderId, claim } of inUse)
    if (await holdsClaim(call, changes.get(refKey({ kind, id: holderId })), claim))
      conflicts.push(conflictAt(change, { kind: 'value_taken', path, content }))
  return conflicts
}

/** Whether the holder of a unique value on main still has it after the merge. */
async function holdsClaim(call: Call, holder: PlannedChange | undefined, claim: string): Promise<boolean> {
  if (!holder) return true
  const { rules, head, merged } = holder
  return isLive(merged) && (await rules.claims(call, head, merged.content)).includes(claim)
}

/** Checks content that both sides contributed to. Each side alone was checked when it was saved. */
async function invalidValues(
  { call }: ChangeSet,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  if (isSame(content, change.ours.content)) return []
  const issues = await change.rules.issues(call, change.head, content)
  return issues.map(({ path }) => conflictAt(change, { kind: 'invalid', path, content }))
}

/** References from merged content to entities that are deleted on main or by the package itself. */
async function missingTargets(changeSet: ChangeSet): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const { call, main, changes } = changeSet
  const wanted: { key: string; change: PlannedChange; target: ContentTarget }[] = []
  const yieldToLoop = yieldingToLoop()
  for (const [key, change] of changes) {
    for (const target of await newTargets(changeSet, change)) wanted.push({ key, change, target })
    await yieldToLoop()
  }
  const refs = [
    ...new Map(wanted.map(({ target }): [string, EntityRef] => [refKey(target), target])).values(),
  ]
  const onMain = await headsOf(call.store.entities, main.branch, refs)
  const isMissing = (target: ContentTarget) => {
    const planned = changes.get(refKey(target))
    if (planned) return !isLive(planned.merged)
    const head = onMain.get(refKey(target))
    return head ? head.deletedDate !== null : target.required
  }
  const missing = new Map<string, EntityConflict[]>()
  for (const { key, change, target } of wanted) {
    if (!isMissing(target) || !change.merged) continue
    const conflict = conflictAt(change, {
      kind: 'missing_target',
      path: target.path,
      content: change.merged.content,
    })
    const known = missing.get(key) ?? []
    if (!known.some(({ path }) => path === conflict.path)) missing.set(key, [...known, conflict])
  }
  return missing
}

/**
 * Targets of the merged content that main's content does not refer to yet, or that the package
 * changes.
 */
async function newTargets(
  { call, changes }: ChangeSet,
  { rules, head, merged, theirs }: PlannedChange,
): Promise<ContentTarget[]> {
  if (!isLive(merged)) return []
  const targets = await rules.targets(call, head, merged.content)
  if (targets.length === 0) return []
  const before = isLive(theirs) ? await rules.targets(call, head, theirs.content) : []
  const known = new Set(before.map((target) => `${target.path} ${refKey(target)}`))
  return targets.filter(
    (target) => !known.has(`${target.path} ${refKey(target)}`) || changes.has(refKey(target)),
  )
}

// The most holders to name in a conflict. Holders that the package itself changes do not count.
const mostHolders = 100

/** Finds references that main has gained to an entity since the package deleted it. */
async function holdersOfDeleted(
  { call, main, changes }: ChangeSet,
  change: PlannedChange,
): Promise<EntityConflict[]> {
  const { id } = change.head
  const edges = await call.store.entities.incoming(main.branch, id, mostHolders + 8 * changes.size)
  const holders = edges.filter(
    ({ source, onDelete }) => onDelete !== 'ignore' && source.id !== id && !changes.has(refKey(source)),
  )
  if (holders.length === 0) return []
  const theirs = namedHolders(call, holders)
  return [{ path: '', kind: 'referenced', base: null, ours: null, theirs }]
}

/** An entity in a tree, with the content it will have on main. */
interface TreeNode {
  readonly id: string
  readonly content: JsonObject
}

/** Finds the content that an entity will have on main; null when it will not exist there. */
type FindContent = (id: string) => Promise<JsonObject | null>

/**
 * Finds moves that would close a cycle on main although neither branch has one, that would make a
 * tree too deep, or that would put an entity under a parent from another tree. A new cycle on main
 * always contains a move by the package, so only those moves are checked.
 */
async function treeConflicts(changeSet: ChangeSet): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const yieldToLoop = yieldingToLoop()
  const conflicts = new Map<string, EntityConflict[]>()
  for (const [key, change] of changeSet.changes) {
    const kind = await treeConflictOf(changeSet, change)
    if (kind && change.merged)
      conflicts.set(key, [conflictAt(change, { kind, path: 'parentId', content: change.merged.content })])
    await yieldToLoop()
  }
  return conflicts
}

async function treeConflictOf(
  changeSet: ChangeSet,
  change: PlannedChange,
): Promise<'cycle' | 'invalid' | null> {
  const { rules, head, merged, theirs } = change
  if (!rules.tree || !isLive(merged)) return null
  const parentId = merged.content['parentId'] ?? null
  if (parentId === null || (isLive(theirs) && isSame(theirs.content['parentId'], parentId))) return null
  const above = await ancestorsOf(contentOnMain(changeSet, change), merged.content)
  if (above.some(({ id }) => id === head.id)) return 'cycle'
  const [parent] = above
  const isFit = !parent || rules.tree.fits(merged.content, parent.content)
  return isFit && above.length < limits.treeDepth ? null : 'invalid'
}

/**
 * The ancestors that an entity will have on main, nearest first. In a cycle, each is listed once.
 */
async function ancestorsOf(findContent: FindContent, content: JsonObject): Promise<TreeNode[]> {
  const above: TreeNode[] = []
  for (let id = content['parentId']; typeof id === 'string';) {
    const found = await findContent(id)
    if (!found || above.some((known) => known.id === id)) break
    above.push({ id, content: found })
    id = found['parentId']
  }
  return above
}

function contentOnMain(
  { call, main, changes }: ChangeSet,
  { rules, head: { kind } }: PlannedChange,
): FindContent {
  return async (id) => {
    const change = changes.get(refKey({ kind, id }))
    if (change) return isLive(change.merged) ? change.merged.content : null
    const head = await call.store.entities.get(main.branch, kind, id)
    return head && head.deletedDate === null ? rules.content(head) : null
  }
}

/** Conflicts that changes cause together on main, by `refKey`. */
export type ConflictsByEntity = ReadonlyMap<string, readonly EntityConflict[]>
