import { limits } from '@quire/contract'
import { takingTurns } from '../call/turns.ts'
import { isLive, type EntityConflict } from '../merge/entity.ts'
import { isSame } from '../merge/same.ts'
import type { JsonObject } from '../ports/index.ts'
import { clashAt, type Together } from './clash.ts'
import { refKey } from './own-heads.ts'
import type { PlannedChange } from './planned-change.ts'

/** Something in a tree, as it will be on main. */
interface Standing {
  readonly id: string
  readonly content: JsonObject
}

/** What main will say of something in a tree; null when it will not be there. */
type Look = (id: string) => Promise<JsonObject | null>

/**
 * Moves that on main together would close a circle, of which each line alone shows none, or would make a tree too deep; and what would stand
 * in something of another tree. A circle on main would have a move of the package in it: only those are looked at.
 */
export async function treeClashes(together: Together): Promise<ReadonlyMap<string, EntityConflict[]>> {
  const turn = takingTurns()
  const clashes = new Map<string, EntityConflict[]>()
  for (const [key, change] of together.changes) {
    const kind = await clashOf(together, change)
    if (kind && change.merged)
      clashes.set(key, [clashAt(change, { kind, path: 'parentId', content: change.merged.content })])
    await turn()
  }
  return clashes
}

async function clashOf(together: Together, change: PlannedChange): Promise<'cycle' | 'invalid' | null> {
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
    const head = await call.store.entities.get(main.line, kind, id)
    return head && head.deletedDate === null ? rules.content(head) : null
  }
}
