import type { Api } from '@quire/contract'
import type { Quire } from '@quire/core'
import type { Caller } from './world-callers.ts'
import type { Structure } from './world-structure.ts'

/** One of two worlds that differ only in content that the caller may not read. */
type Variant = 0 | 1

/** Kinds of content that the caller may not read, and in which the worlds differ. */
export type Hidden = 'limited' | 'types' | 'packages' | 'drafts' | 'people' | 'structure'

export interface WorldPlan {
  readonly hides: ReadonlySet<Hidden>
  readonly variant: Variant
  readonly caller: Caller
}

/** The context for creating a world. */
export interface Making {
  readonly api: Api
  readonly quire: Quire
  readonly plan: WorldPlan
  readonly roleId: string
  readonly structure: Structure
  /** Advances the clock by a second, so that all dates differ. */
  readonly later: () => void
}
