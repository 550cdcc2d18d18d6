import type { Package } from '@quire/client'
import { textMembers } from '../frame/search.ts'

export const packageStates = [
  'open',
  'inReview',
  'completed',
  'scheduled',
  'merged',
  'error',
  'deleted',
] as const satisfies readonly Package['state'][]

export const reviewStates = [
  'requested',
  'changesRequested',
  'approved',
  'outdated',
] as const satisfies readonly NonNullable<Package['review']>['state'][]

/** Which packages the list shows, as its address says. */
export interface PackageFilter {
  state?: (typeof packageStates)[number]
  review?: (typeof reviewStates)[number]
  /** `*`: those of any agent. */
  agent?: string
  cursor?: string | undefined
  /** The package in which one works meanwhile; absent: main. */
  in?: string | undefined
}

/** The filter in the parameters of an address. What it does not know is left out. */
export function packageFilter(search: Readonly<Record<string, unknown>>): PackageFilter {
  const state = packageStates.find((one) => one === search['state'])
  const review = reviewStates.find((one) => one === search['review'])
  return {
    ...(state && { state }),
    ...(review && { review }),
    ...textMembers(search, ['agent', 'cursor', 'in']),
  }
}
