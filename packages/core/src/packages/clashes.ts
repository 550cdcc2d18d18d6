import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { mainOf, type Place } from '../lines/lines.ts'
import { isLive, type EntityConflict, type Side } from '../merge/entity.ts'
import { isSame } from '../merge/same.ts'
import { clashAt, type Together } from './clash.ts'
import { treeClashes } from './circles.ts'
import { holdersOfDeleted, missingTargets } from './dangling.ts'
import { refKey } from './own-heads.ts'
import type { PlannedChange } from './planned-change.ts'
import type { Clashes } from './settle.ts'

/**
 * What the changes come to on main together, beside what each has for itself: addresses and unique values that another has,
 * references to what is deleted, moves that close a circle, merged values that the content type does not take.
 */
export async function clashesOf(
  call: Call,
  place: Place,
  changes: readonly PlannedChange[],
): Promise<Clashes> {
  const together: Together = {
    call,
    main: mainOf(place),
    changes: new Map(changes.map((change) => [refKey(change.head), change])),
  }
  const turn = takingTurns()
  const clashes = new Map<string, readonly EntityConflict[]>()
  const missing = await missingTargets(together)
  const misplaced = await treeClashes(together)
  const doubled = await doubledNames(together)
  for (const [key, change] of together.changes) {
    const found = [
      ...(await clashesOfOne(together, change)),
      ...(missing.get(key) ?? []),
      ...(misplaced.get(key) ?? []),
      ...(doubled.get(key) ?? []),
    ]
    if (found.length > 0) clashes.set(key, found)
    await turn()
  }
  return clashes
}

async function clashesOfOne(together: Together, change: PlannedChange): Promise<EntityConflict[]> {
  const { merged, theirs } = change
  if (!isLive(merged)) return isLive(theirs) ? holdersOfDeleted(together, change) : []
  if (theirs && !theirs.deleted && isSame(merged.content, theirs.content)) return []
  return [
    ...(await slugClash(together, change, merged)),
    ...(await valueClashes(together, change, merged)),
    ...(await misfits(together, change, merged)),
  ]
}

/** Names or slugs beside each other that two changes come to together: each where the package puts it, called as main called it. */
async function doubledNames({ call, changes }: Together): Promise<Map<string, readonly EntityConflict[]>> {
  const holders = new Set<string>()
  const clashes = new Map<string, readonly EntityConflict[]>()
  for (const [key, change] of changes) {
    const { rules, head, merged } = change
    const path = rules.calledBy
    if (path === null || !isLive(merged)) continue
    const claims = (await rules.claims(call, head.type, merged.content)).map(
      (claim) => `${head.kind} ${claim}`,
    )
    if (claims.some((claim) => holders.has(claim)))
      clashes.set(key, [clashAt(change, { kind: 'value_taken', path, content: merged.content })])
    for (const claim of claims) holders.add(claim)
  }
  return clashes
}

async function slugClash(
  { call, main, changes }: Together,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  const { kind, id } = change.head
  const slug = content['slug']
  if (typeof slug !== 'string' || (isLive(change.theirs) && change.theirs.content['slug'] === slug)) return []
  const holder = await call.store.entities.getBySlug(main.line, kind, slug)
  if (!holder || holder.id === id || !keepsSlug(changes.get(refKey(holder)), slug)) return []
  return [clashAt(change, { kind: 'slug_taken', path: 'slug', content })]
}

/** Whether the holder of a slug on main still has it after the merge. */
function keepsSlug(holder: PlannedChange | undefined, slug: string): boolean {
  if (!holder) return true
  return isLive(holder.merged) && holder.merged.content['slug'] === slug
}

async function valueClashes(
  { call, main, changes }: Together,
  change: PlannedChange,
  { content }: Side,
): Promise<EntityConflict[]> {
  const { kind, id, type } = change.head
  const taken = await change.rules.taken(call, { place: main, id, type, content })
  const clashes: EntityConflict[] = []
  for (const { path, holderId, claim } of taken)
    if (await keepsClaim(call, changes.get(refKey({ kind, id: holderId })), claim))
      clashes.push(clashAt(change, { kind: 'value_taken', path, content }))
  return clashes
}

/** Whether the holder of a unique value on main still has it after the merge. */
async function keepsClaim(call: Call, holder: PlannedChange | undefined, claim: string): Promise<boolean> {
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
  return issues.map(({ path }) => clashAt(change, { kind: 'invalid', path, content }))
}
