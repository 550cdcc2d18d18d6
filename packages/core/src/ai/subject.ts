import type { Contract, ParsedOf } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type { Place } from '../lines/lines.ts'
import type { Entity } from '../ports/index.ts'

/** What a task is asked with. */
export type TaskInput = ParsedOf<Contract['ai']['task']>

/** An item that a task is for, as its caller may see it. */
export interface Subject {
  readonly place: Place
  readonly head: Entity
  readonly input: TaskInput
}

/** Errors: `invalid` naming the member that is missing. */
export function missing(path: 'model' | 'language' | 'taxonomyId'): never {
  throw invalid([{ path, message: 'is needed for this task' }])
}
