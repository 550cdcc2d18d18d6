import type { Finding, Harm } from './finding.ts'
import type { Tally } from './main-states.ts'
import type { FileContents } from './read-file.ts'

/** How much of a merge took effect. */
export type Effect = 'none' | 'all' | 'part'

/** Determines how much of a merge is on main. */
export function effectOf({ before, after, strange }: Tally): Effect {
  if (after === 0 && before > 0 && strange.length === 0) return 'none'
  return before === 0 ? 'all' : 'part'
}

/**
 * The violations in a file, given the size of the package and whether its merge was acknowledged.
 */
export function judge(
  found: FileContents,
  { size, isAcknowledged }: { size: number; isAcknowledged: boolean },
): Finding[] {
  const effect = effectOf(found)
  const { after, state, recorded, journalled, versions } = found
  const merges = Number(effect !== 'none')
  return [
    ...when(effect === 'part', 'partial', `main has ${after} of ${size} changes`),
    ...when(
      (state === 'merged') !== (effect === 'all'),
      'partial',
      `main has ${after} changes, but the package is ${state}`,
    ),
    ...when(
      (recorded !== null) !== (effect === 'all'),
      'partial',
      `main has ${after} changes, but the merge is ${recorded === null ? 'not ' : ''}recorded`,
    ),
    ...when(recorded !== null && recorded !== size, 'torn', `the merge's record names ${recorded} changes`),
    ...when(isAcknowledged && effect !== 'all', 'lost', `it was acknowledged, but main has ${after} changes`),
    ...when(journalled < merges, 'torn', 'no PACKAGE_MERGED event reports it'),
    ...when(journalled > merges, 'dup', `${journalled} PACKAGE_MERGED events for ${merges} merges`),
    ...when(effect === 'none' && versions > 0, 'dup', `${versions} new versions without a merge`),
    ...[...found.strange, ...found.faults].map((location): Finding => ({ harm: 'torn', location })),
  ]
}

function when(isWrong: boolean, harm: Harm, location: string): Finding[] {
  return isWrong ? [{ harm, location }] : []
}
