import { limits, type QuireError } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type { EntityReader, Line } from '../ports/index.ts'
import { ancestorsOf, lookingAt } from './ancestors.ts'
import { contentOf } from './content.ts'
import { levelsOf, standingIn } from './levels.ts'
import type { Standing } from './siblings.ts'

/**
 * Errors: `invalid` at `parentId` when what it is to stand in is not there, or of another taxonomy, or stands in it itself, or so deep that the
 * tree had more than 50 levels. In the transaction of the write: two moves never close a circle.
 */
export async function requireStand(entities: EntityReader, line: Line, standing: Standing): Promise<void> {
  const { kind, id, content } = standing
  const { parentId } = content
  if (parentId === null) return
  const above = await ancestorsOf(lookingAt(entities, line, kind), [parentId])
  const path = above(parentId)
  const parent = path.at(-1)
  if (!parent || contentOf(parent).taxonomyId !== content.taxonomyId)
    throw wrongParent(`there is no ${kind} "${parentId}"`)
  if (path.some((ancestor) => ancestor.id === id)) throw wrongParent(`a ${kind} cannot stand in itself`)
  const height = await heightOf(entities, line, standing)
  if (path.length + height <= limits.treeDepth) return
  throw wrongParent(`a tree of ${kind}s has at most ${limits.treeDepth} levels`)
}

/** Levels that something brings along, its own among them. Errors: `invalid` when so much stands in it that they are not counted. */
async function heightOf(entities: EntityReader, line: Line, { kind, id }: Standing): Promise<number> {
  if (id === null) return 1
  const most = limits.treeNodes
  const nodes = await levelsOf(entities, line, { kind, first: standingIn([id]), most })
  if (nodes.length > most) throw wrongParent(`more than ${most} stand in it: move them in parts`)
  return nodes.reduce((height, { depth }) => Math.max(height, depth + 1), 1)
}

function wrongParent(message: string): QuireError {
  return invalid([{ path: 'parentId', message }])
}
