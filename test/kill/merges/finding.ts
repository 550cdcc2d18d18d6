/**
 * What must not be: a merge of which main has a part, or which main and the package's records tell differently; one that was
 * acknowledged and is not there; content that is neither as before nor as after; more effects than merges.
 */
export type Harm = 'partial' | 'lost' | 'torn' | 'dup'

/** One thing that must not be, and where it was found. */
export interface Finding {
  readonly harm: Harm
  readonly location: string
}

/** How often each kind was found: `partial 0, lost 0, torn 0, dup 0`. */
export function countFindings(findings: readonly Finding[]): string {
  const harms: readonly Harm[] = ['partial', 'lost', 'torn', 'dup']
  return harms.map((harm) => `${harm} ${findings.filter((found) => found.harm === harm).length}`).join(', ')
}
