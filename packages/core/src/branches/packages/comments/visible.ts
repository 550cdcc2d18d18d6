import type { PackageComment } from '@quire/contract'
import type { Call } from '../../../engine/call.ts'
import type { Entity } from '../../../ports/index.ts'
import { changedEntity } from '../change.ts'
import type { PackageScope } from '../record.ts'
import { mayReadHead } from '../rights.ts'
import type { StoredComment } from './record.ts'

/** A comment that the caller may read, as stored and as serialized in responses. */
export interface VisibleComment {
  readonly stored: StoredComment
  readonly json: PackageComment
}

/** The comments that the caller may read: those on the package, and on what it shows to the caller. */
export async function visibleComments(
  call: Call,
  scope: PackageScope,
  comments: readonly StoredComment[],
): Promise<readonly VisibleComment[]> {
  const heads = await subjectsOf(call, scope, comments)
  const byId = new Map(comments.map((comment) => [comment.id, comment]))
  return comments
    .filter(({ about }) => {
      if (about === null) return true
      const { entity, readers } = about
      const { kind, type } = entity
      const gone = { kind, type, repositoryId: scope.repository.id, roles: { read: readers } }
      return mayReadHead(call, heads.get(entity.id) ?? gone)
    })
    .map((stored) => {
      const parent = stored.parentId === null ? undefined : byId.get(stored.parentId)
      return { stored, json: serializeComment(scope, stored, { parent, heads }) }
    })
}

/** The heads of the entities that comments are about, on the branch of the package, by id. */
async function subjectsOf(
  call: Call,
  { branch }: PackageScope,
  comments: readonly StoredComment[],
): Promise<ReadonlyMap<string, Entity>> {
  const entities = comments.flatMap(({ about }) => (about ? [about.entity] : []))
  const heads = new Map<string, Entity>()
  for (const [kind, group] of Map.groupBy(entities, (entity) => entity.kind)) {
    const ids = [...new Set(group.map(({ id }) => id))]
    for (const head of await call.store.entities.getMany(branch, kind, ids)) heads.set(head.id, head)
  }
  return heads
}

interface SerializedWith {
  readonly parent: StoredComment | undefined
  readonly heads: ReadonlyMap<string, Entity>
}

/** An answer has the state of the comment that it answers. */
function serializeComment(
  { repository, package: { name: packageName } }: PackageScope,
  stored: StoredComment,
  { parent = stored, heads }: SerializedWith,
): PackageComment {
  const { id, about, owner: _owner, ...comment } = stored
  const { state, resolvedDate, resolvedByUser } = parent
  const head = about && heads.get(about.entity.id)
  return {
    id,
    repositoryId: repository.id,
    packageName,
    ...comment,
    entity: head ? changedEntity(head) : (about?.entity ?? null),
    path: about?.path ?? null,
    state,
    resolvedDate,
    resolvedByUser,
  }
}
