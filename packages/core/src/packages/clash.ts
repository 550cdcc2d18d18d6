import type { Call } from '../call/call.ts'
import type { Place } from '../lines/lines.ts'
import type { EntityConflict, Side } from '../merge/entity.ts'
import { valueAt } from '../merge/resolve.ts'
import type { JsonObject } from '../ports/index.ts'
import type { PlannedChange } from './planned-change.ts'

/** What changes are looked at with: all of the package, by `refKey`, and main. */
export interface Together {
  readonly call: Call
  /** Main, where the changes are going. */
  readonly main: Place
  readonly changes: ReadonlyMap<string, PlannedChange>
}

/** A conflict about a member of the merged content. */
export function clashAt(
  { base, theirs }: PlannedChange,
  { kind, path, content }: Pick<EntityConflict, 'kind' | 'path'> & { readonly content: JsonObject },
): EntityConflict {
  const at = (side: Side | null) => (side ? valueAt(side.content, path) : null)
  return { path, kind, base: at(base), ours: valueAt(content, path), theirs: at(theirs) }
}
