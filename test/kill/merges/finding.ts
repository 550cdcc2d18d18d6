/**
 * `partial`: main has only a part of a merge, or the package's records disagree with main. `lost`:
 * an acknowledged merge is missing. `torn`: content is neither in its old nor in its new state.
 * `dup`: there are more effects than merges.
 */
export type Harm = 'partial' | 'lost' | 'torn' | 'dup'

/** A violation, and where it was found. */
export interface Finding {
  readonly harm: Harm
  readonly location: string
}

/** Counts the findings of each kind: `partial 0, lost 0, torn 0, dup 0`. */
export function countFindings(findings: readonly Finding[]): string {
  const harms: readonly Harm[] = ['partial', 'lost', 'torn', 'dup']
  return harms.map((harm) => `${harm} ${findings.filter((found) => found.harm === harm).length}`).join(', ')
}
