import { limits, type QuireError } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { EntityReader, Branch } from '../../ports/index.ts'
import { ancestorsOf, lookingAt } from './ancestors.ts'
import { contentOf, memberOf } from './content.ts'
import { isTree, type Naming, type StructureName } from './kind.ts'
import { levelsOf, standingIn } from './levels.ts'
import type { Standing } from './siblings.ts'

/**
 * Errors: `invalid` at the member that names it when what it is to stand in is not there, or belongs to something else, or stands in it
 * itself, or so deep that the tree had more than 50 levels. In the transaction of the write: two moves never close a circle.
 */
export async function requireStand(
  entities: EntityReader,
  branch: Branch,
  standing: Standing,
): Promise<void> {
  const { rules, id, content } = standing
  const { above, owner } = rules
  const parentId = above && memberOf(content, above.member)
  if (!above || parentId === null) return
  const path = (await ancestorsOf(lookingAt(entities, branch, above.kind), [parentId]))(parentId)
  const parent = path.at(-1)
  if (!parent || (owner && contentOf(parent)[owner.member] !== content[owner.member]))
    throw wrong(above, `there is no ${above.kind} "${parentId}"`)
  if (path.some((ancestor) => ancestor.id === id))
    throw wrong(above, `a ${rules.kind} cannot stand in itself`)
  const height = await heightOf(entities, branch, standing)
  if (path.length + height <= limits.treeDepth) return
  throw wrong(above, `a tree of ${rules.kind}s has at most ${limits.treeDepth} levels`)
}

/** Levels of the tree that something brings along, its own among them; none for what only stands in it. Errors: `invalid` when so much stands in it that they are not counted. */
async function heightOf(entities: EntityReader, branch: Branch, { rules, id }: Standing): Promise<number> {
  if (!rules.above || !isTree(rules)) return 0
  if (id === null) return 1
  const most = limits.treeNodes
  const nodes = await levelsOf(entities, branch, { kind: rules.kind, first: standingIn([id]), most })
  if (nodes.length > most) throw wrong(rules.above, `more than ${most} stand in it: move them in parts`)
  return nodes.reduce((height, { depth }) => Math.max(height, depth + 1), 1)
}

function wrong({ member }: Naming<StructureName>, message: string): QuireError {
  return invalid([{ path: member, message }])
}
