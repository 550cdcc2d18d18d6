import type { Api } from '@quire/contract'
import type { Quire } from '@quire/core'
import type { Caller } from './world-callers.ts'
import type { Structure } from './world-structure.ts'

/** Which of two worlds that differ in nothing but what the caller may not read. */
type Variant = 0 | 1

/** What the caller may not read, and in which the worlds differ. */
export type Hidden = 'limited' | 'types' | 'packages' | 'drafts' | 'people' | 'structure'

/** How a world is made. */
export interface WorldPlan {
  readonly hides: ReadonlySet<Hidden>
  readonly variant: Variant
  readonly caller: Caller
}

/** What a world is made with. */
export interface Making {
  readonly api: Api
  readonly quire: Quire
  readonly plan: WorldPlan
  readonly roleId: string
  readonly structure: Structure
  /** A second later, so that all dates differ. */
  readonly later: () => void
}
