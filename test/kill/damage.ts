/** Violations by kind, each with the locations where they were found (TRUST 3.1). */
export interface Damage {
  /** Acknowledged, but missing. */
  readonly lost: readonly string[]
  /** Present, but not as sent, or with a broken invariant. */
  readonly torn: readonly string[]
  /** Present, but never sent, or refused. */
  readonly phantom: readonly string[]
  /** More effects than requests. */
  readonly dup: readonly string[]
}

export const noDamage: Damage = { lost: [], torn: [], phantom: [], dup: [] }

/** Merges two reports. Each location appears once. */
export function addDamage(one: Damage, other: Damage): Damage {
  const both = (kind: keyof Damage) => [...new Set([...one[kind], ...other[kind]])]
  return { lost: both('lost'), torn: both('torn'), phantom: both('phantom'), dup: both('dup') }
}
