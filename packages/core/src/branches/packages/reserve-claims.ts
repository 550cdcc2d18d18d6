import type { Call, WriteCall } from '../../engine/call.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'
import { refKey } from './sides.ts'

/** A head on its way from one content to another. */
export interface Move {
  readonly rules: BranchKind
  /** The live head on the branch that is written; null when there is none. */
  readonly current: Entity | null
  /** What it will say; null when it goes. */
  readonly next: JsonObject | null
  /** The content type. */
  readonly type: string
}

/**
 * Takes addresses and unique values from heads that give them up to another of the same moves, so that the moves can be written one
 * by one, in circles too. Makes no version; each of them is written again by its own move. Answers them by `refKey`.
 */
export async function reserveClaims(
  call: WriteCall,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, Entity>> {
  const reserved = new Map<string, Entity>()
  const leaving = new Map<string, Entity>()
  const wanted = new Set<string>()
  for (const move of moves) {
    const [before, after] = await claimsOf(call, move)
    for (const claim of before) if (move.current && !after.has(claim)) leaving.set(claim, move.current)
    for (const claim of after) if (!before.has(claim)) wanted.add(claim)
  }
  for (const [claim, holder] of leaving) {
    if (!wanted.has(claim) || reserved.has(refKey(holder))) continue
    const bare: Entity = { ...holder, slug: null, revision: holder.revision + 1 }
    await call.store.entities.put(
      { ...bare, writtenDate: call.now, values: [], edges: [], search: null },
      holder.revision,
    )
    reserved.set(refKey(holder), bare)
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
