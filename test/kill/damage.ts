/** What must not be, each with the places where it was found (TRUST 3.1). */
export interface Damage {
  /** Acknowledged and not found. */
  readonly lost: readonly string[]
  /** Found, but not as it was sent, or with an invariant broken. */
  readonly torn: readonly string[]
  /** Found, but never sent, or refused. */
  readonly phantom: readonly string[]
  /** More effects than requests. */
  readonly dup: readonly string[]
}

export const noDamage: Damage = { lost: [], torn: [], phantom: [], dup: [] }

/** Both, each place once. */
export function addDamage(one: Damage, other: Damage): Damage {
  const both = (kind: keyof Damage) => [...new Set([...one[kind], ...other[kind]])]
  return { lost: both('lost'), torn: both('torn'), phantom: both('phantom'), dup: both('dup') }
}
