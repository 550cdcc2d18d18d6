import type { Target } from '../../engine/access/permissions.ts'
import type { StructureKind } from './kind.ts'

/** For what a key must be held to do something with a thing: its repository, or its site (see `typeOf`). */
export function targetOf(
  { scope }: Pick<StructureKind, 'scope'>,
  { repositoryId, type }: { readonly repositoryId: string; readonly type: string },
): Target {
  return scope === 'site' ? { repositoryId, siteId: type } : { repositoryId }
}
