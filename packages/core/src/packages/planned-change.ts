import type { EntityMerge } from '../merge/entity.ts'
import type { ChangeSides } from './sides.ts'

/** A change with what comes of it on main. */
export interface PlannedChange extends ChangeSides, EntityMerge {}
