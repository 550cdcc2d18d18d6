import { deepFreeze } from '@quire/contract/codec'
import type { Call } from '../call.ts'
import type { Entity } from '../../ports/index.ts'
import type { HookKind, HookShapes, KindHooks } from './hooks.ts'

/** The hooks of a kind; undefined if there are none. */
export function hooksOf(
  { environment: { hooks } }: Pick<Call, 'environment'>,
  kind: string,
): KindHooks<HookKind> | undefined {
  // Each kind is only ever passed to its own hooks.
  return (hooks as Readonly<Record<string, KindHooks<HookKind>>> | undefined)?.[kind]
}

/** A stored head as hooks see it; null if there is none, or it is deleted. */
export function shapeForHooks(head: Entity | null): HookShapes[HookKind] | null {
  if (!head || head.deletedDate !== null) return null
  const stored = JSON.parse(head.json)
  if (head.kind !== 'item') return deepFreeze(stored)
  const { taxonomies: categories, ...item } = stored
  return deepFreeze({ ...item, categories })
}

/** The caller, as hooks see it. */
export function principalForHooks({ identity: { kind, id, name } }: Pick<Call, 'identity'>) {
  return { kind, id, name }
}
