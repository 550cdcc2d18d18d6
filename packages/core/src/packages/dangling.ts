import { takingTurns } from '../call/turns.ts'
import type { ContentTarget } from '../lines/line-kind.ts'
import { isLive, type EntityConflict } from '../merge/entity.ts'
import type { EntityRef } from '../ports/index.ts'
import { clashAt, type Together } from './clash.ts'
import { headsOf, refKey } from './own-heads.ts'
import type { PlannedChange } from './planned-change.ts'
import { namedHolders } from './rights.ts'

/** References of merged contents to what is deleted on main, or by the package itself. */
export async function missingTargets(together: Together): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const { call, main, changes } = together
  const wanted: { key: string; change: PlannedChange; target: ContentTarget }[] = []
  const turn = takingTurns()
  for (const [key, change] of changes) {
    for (const target of await newTargets(together, change)) wanted.push({ key, change, target })
    await turn()
  }
  const refs = [
    ...new Map(wanted.map(({ target }): [string, EntityRef] => [refKey(target), target])).values(),
  ]
  const onMain = await headsOf(call.store.entities, main.line, refs)
  const isMissing = (target: ContentTarget) => {
    const planned = changes.get(refKey(target))
    if (planned) return !isLive(planned.merged)
    const head = onMain.get(refKey(target))
    return head ? head.deletedDate !== null : target.required
  }
  const missing = new Map<string, EntityConflict[]>()
  for (const { key, change, target } of wanted) {
    if (!isMissing(target) || !change.merged) continue
    const clash = clashAt(change, {
      kind: 'missing_target',
      path: target.path,
      content: change.merged.content,
    })
    const known = missing.get(key) ?? []
    if (!known.some(({ path }) => path === clash.path)) missing.set(key, [...known, clash])
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
export async function holdersOfDeleted(
  { call, main, changes }: Together,
  change: PlannedChange,
): Promise<EntityConflict[]> {
  const { id } = change.head
  const edges = await call.store.entities.incoming(main.line, id, mostHolders + 8 * changes.size)
  const holders = edges.filter(
    ({ source, onDelete }) => onDelete !== 'ignore' && source.id !== id && !changes.has(refKey(source)),
  )
  if (holders.length === 0) return []
  const theirs = namedHolders(call, holders)
  return [{ path: '', kind: 'referenced', base: null, ours: null, theirs }]
}
