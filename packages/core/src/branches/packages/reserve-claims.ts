import type { Call, WriteCall } from '../../engine/call.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'
import { refKey } from './sides.ts'

/** A head that is about to change from one content to another. */
export interface Move {
  readonly rules: BranchKind
  /** The live head on the branch to write to; null when there is none. */
  readonly current: Entity | null
  /** Its next content; null when it is deleted. */
  readonly next: JsonObject | null
  /** The content type. */
  readonly type: string
}

/**
 * Releases slugs and unique values that one move gives up and another takes. The moves can then be
 * written one by one, even when they swap values in a cycle. Creates no versions: each released
 * head is written again by its own move. Returns the released heads by `refKey`.
 */
export async function reserveClaims(
  call: WriteCall,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, Entity>> {
  const reserved = new Map<string, Entity>()
  const leaving = new Map<string, Entity>()
  const claimed = new Set<string>()
  for (const move of moves) {
    const [before, after] = await claimsOf(call, move)
    for (const claim of before) if (move.current && !after.has(claim)) leaving.set(claim, move.current)
    for (const claim of after) if (!before.has(claim)) claimed.add(claim)
  }
  for (const [claim, holder] of leaving) {
    if (!claimed.has(claim) || reserved.has(refKey(holder))) continue
    const released: Entity = { ...holder, slug: null, revision: holder.revision + 1 }
    await call.store.entities.put(
      { ...released, writtenDate: call.now, values: [], edges: [], search: null },
      holder.revision,
    )
    reserved.set(refKey(holder), released)
  }
  return reserved
}

async function claimsOf(
  call: Call,
  { rules, current, next, type }: Move,
): Promise<readonly [before: ReadonlySet<string>, after: ReadonlySet<string>]> {
  const claims = async (content: JsonObject | null) =>
    new Set((content ? await rules.claims(call, type, content) : []).map((claim) => `${rules.kind} ${claim}`))
  return [await claims(current && rules.content(current)), await claims(next)]
}
