import { limits } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import { isLive, type EntityConflict, type Side } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { conflictAt, type Together, type PlannedChange } from './change.ts'
import { refKey, headsOf } from './sides.ts'
import type { ConflictsByEntity } from './resolve.ts'
import type { ContentTarget } from '../../content/kinds/branch-kind.ts'
import { namedHolders } from './rights.ts'
import type { EntityRef, JsonObject } from '../../ports/index.ts'

/**
 * What the changes come to on main together, beside what each has for itself: addresses and unique values that another has,
 * references to what is deleted, moves that close a circle, merged values that the content type does not take.
 */
export async function conflictsOf(
  call: Call,
  scope: Scope,
  changes: readonly PlannedChange[],
): Promise<ConflictsByEntity> {
  const together: Together = {
    call,
    main: mainOf(scope),
    changes: new Map(changes.map((change) => [refKey(change.head), change])),
  }
  const yieldToLoop = yieldingToLoop()
  const conflicts = new Map<string, readonly EntityConflict[]>()
  const missing = await missingTargets(together)
  const misplaced = await treeConflicts(together)
  const doubled = await doubledNames(together)
  for (const [key, change] of together.changes) {
    const found = [
      ...(await conflictsOfOne(together, change)),
      ...(missing.get(key) ?? []),
      ...(misplaced.get(key) ?? []),
      ...(doubled.get(key) ?? []),
    ]
    if (found.length > 0) conflicts.set(key, found)
    await yieldToLoop()
  }
  return conflicts
}

async function conflictsOfOne(together: Together, change: PlannedChange): Promise<EntityConflict[]> {
  const { merged, theirs } = change
  if (!isLive(merged)) return isLive(theirs) ? holdersOfDeleted(together, change) : []
  if (theirs && !theirs.deleted && isSame(merged.content, theirs.content)) return []
  return [
    ...(await slugConflict(together, change, merged)),
    ...(await valueConflicts(together, change, merged)),
    ...(await misfits(together, change, merged)),
  ]
}

/** Names or slugs beside each other that two changes come to together: each where the package puts it, called as main called it. */
async function doubledNames({ call, changes }: Together): Promise<Map<string, readonly EntityConflict[]>> {
  const holders = new Set<string>()
  const conflicts = new Map<string, readonly EntityConflict[]>()
  for (const [key, change] of changes) {
    const { rules, head, merged } = change
    const path = rules.calledBy
    if (path === null || !isLive(merged)) continue
    const claims = (await rules.claims(call, head.type, merged.content)).map(
      (claim) => `${head.kind} ${claim}`,
    )
    if (claims.some((claim) => holders.has(claim)))
      conflicts.set(key, [conflictAt(change, { kind: 'value_taken', path, content: merged.content })])
    for (const claim of claims) holders.add(claim)
  }
  return conflicts
}

async function slugConflict(
  { call, main, changes }: Together,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  const { kind, id } = change.head
  const slug = content['slug']
  if (typeof slug !== 'string' || (isLive(change.theirs) && change.theirs.content['slug'] === slug)) return []
  const holder = await call.store.entities.getBySlug(main.branch, kind, slug)
  if (!holder || holder.id === id || !retainsSlug(changes.get(refKey(holder)), slug)) return []
  return [conflictAt(change, { kind: 'slug_taken', path: 'slug', content })]
}

/** Whether the holder of a slug on main still has it after the merge. */
function retainsSlug(holder: PlannedChange | undefined, slug: string): boolean {
  if (!holder) return true
  return isLive(holder.merged) && holder.merged.content['slug'] === slug
}

async function valueConflicts(
  { call, main, changes }: Together,
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
  return isLive(merged) && (await rules.claims(call, head.type, merged.content)).includes(claim)
}

/** Where both sides had a part in a value: each side alone was checked when it was saved. */
async function misfits(
  { call }: Together,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  if (isSame(content, change.ours.content)) return []
  const issues = await change.rules.issues(call, change.head.type, content)
  return issues.map(({ path }) => conflictAt(change, { kind: 'invalid', path, content }))
}

/** References of merged contents to what is deleted on main, or by the package itself. */
async function missingTargets(together: Together): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const { call, main, changes } = together
  const wanted: { key: string; change: PlannedChange; target: ContentTarget }[] = []
  const yieldToLoop = yieldingToLoop()
  for (const [key, change] of changes) {
    for (const target of await newTargets(together, change)) wanted.push({ key, change, target })
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

/** What the merged content refers to and main's does not yet, or what the package deletes. */
async function newTargets(
  { call, changes }: Together,
  { rules, head, merged, theirs }: PlannedChange,
): Promise<ContentTarget[]> {
  if (!isLive(merged)) return []
  const targets = await rules.targets(call, head.type, merged.content)
  if (targets.length === 0) return []
  const before = isLive(theirs) ? await rules.targets(call, head.type, theirs.content) : []
  const known = new Set(before.map((target) => `${target.path} ${refKey(target)}`))
  return targets.filter(
    (target) => !known.has(`${target.path} ${refKey(target)}`) || changes.has(refKey(target)),
  )
}

// Beside those that the package holds itself, so many name the conflict well enough.
const mostHolders = 100

/** Main came to refer to what the package deletes: it was free of such when the package did. */
async function holdersOfDeleted(
  { call, main, changes }: Together,
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

/** Something in a tree, as it will be on main. */
interface Standing {
  readonly id: string
  readonly content: JsonObject
}

/** What main will say of something in a tree; null when it will not be there. */
type Look = (id: string) => Promise<JsonObject | null>

/**
 * Moves that on main together would close a circle, of which each branch alone shows none, or would make a tree too deep; and what would stand
 * in something of another tree. A circle on main would have a move of the package in it: only those are looked at.
 */
async function treeConflicts(together: Together): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const yieldToLoop = yieldingToLoop()
  const conflicts = new Map<string, EntityConflict[]>()
  for (const [key, change] of together.changes) {
    const kind = await conflictOf(together, change)
    if (kind && change.merged)
      conflicts.set(key, [conflictAt(change, { kind, path: 'parentId', content: change.merged.content })])
    await yieldToLoop()
  }
  return conflicts
}

async function conflictOf(together: Together, change: PlannedChange): Promise<'cycle' | 'invalid' | null> {
  const { rules, head, merged, theirs } = change
  if (!rules.tree || !isLive(merged)) return null
  const parentId = merged.content['parentId'] ?? null
  if (parentId === null || (isLive(theirs) && isSame(theirs.content['parentId'], parentId))) return null
  const above = await ancestorsOf(lookOn(together, change), merged.content)
  if (above.some(({ id }) => id === head.id)) return 'cycle'
  const [parent] = above
  const isFit = !parent || rules.tree.fits(merged.content, parent.content)
  return isFit && above.length < limits.treeDepth ? null : 'invalid'
}

/** What will stand above something on main, the nearest first; once round where that is a circle. */
async function ancestorsOf(look: Look, content: JsonObject): Promise<Standing[]> {
  const above: Standing[] = []
  for (let id = content['parentId']; typeof id === 'string';) {
    const found = await look(id)
    if (!found || above.some((known) => known.id === id)) break
    above.push({ id, content: found })
    id = found['parentId']
  }
  return above
}

function lookOn({ call, main, changes }: Together, { rules, head: { kind } }: PlannedChange): Look {
  return async (id) => {
    const change = changes.get(refKey({ kind, id }))
    if (change) return isLive(change.merged) ? change.merged.content : null
    const head = await call.store.entities.get(main.branch, kind, id)
    return head && head.deletedDate === null ? rules.content(head) : null
  }
}
