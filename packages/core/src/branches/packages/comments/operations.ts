import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { requirePermission, type Call, type WriteCall } from '../../../engine/call.ts'
import { invalid } from '../../../engine/check-input.ts'
import { pageOf } from '../../../engine/paging.ts'
import { changedEntity } from '../change.ts'
import { openPackage, packageEvent, withPackage, type PackageScope } from '../record.ts'
import { storeDecision } from '../review.ts'
import { mayReadHead } from '../rights.ts'
import { ownHead } from '../sides.ts'
import {
  readComments,
  requireRoom,
  writeComments,
  type CommentSubject,
  type StoredComment,
} from './record.ts'
import { visibleComments, type VisibleComment } from './visible.ts'

type List = Contract['packages']['comments']
type Add = Contract['packages']['addComment']
type Update = Contract['packages']['updateComment']

/**
 * Lists the comments on a package that the caller may read, by id. Errors: `not_found`, `forbidden`,
 * `invalid` for a bad cursor.
 */
export async function listComments(
  call: Call,
  { state, entityId, limit = limits.pageDefault, cursor, ...ref }: ParsedOf<List>,
): Promise<OutputOf<List>> {
  const scope = await openPackage(call, ref, 'packages.view')
  const visible = await visibleComments(call, scope, await readComments(call.store, scope.package.id))
  const listed = visible
    .map(({ json }) => json)
    .filter((comment) => state === undefined || comment.state === state)
    .filter(({ entity }) => entityId === undefined || entity?.id === entityId)
  return pageOf(listed, { limit, cursor })
}

/**
 * Comments on a package, or on something that it changes; with `decision`, decides about the package.
 * Errors: `not_found`, `forbidden`; `invalid` for an entity that the package does not change or that
 * the caller may not read, and for an answer that is more than one; `invalid_state` when the package
 * takes no more comments.
 */
export function addComment(call: Call, input: ParsedOf<Add>): Promise<OutputOf<Add>> {
  return withPackage(call, input, {
    key: 'packages.comment',
    async work(call, scope) {
      const { body, decision = null } = input
      requireMayDecide(call, scope, decision)
      const before = await readComments(call.store, scope.package.id)
      const parent = await parentOf(call, scope, { input, comments: before })
      const about = parent ? parent.about : await subjectOf(call, scope, input)
      const comment: StoredComment = {
        id: call.environment.ids.next('CMNT'),
        body,
        about,
        parentId: parent?.id ?? null,
        decision,
        state: 'open',
        createdDate: call.now,
        createdByUser: call.identity.ref,
        owner: call.identity.owner,
        updatedDate: call.now,
        resolvedDate: null,
        resolvedByUser: null,
        ...(call.program !== undefined && { program: call.program }),
      }
      await storeDecision(call, scope.package, comment)
      return storeComments(call, scope, { comments: [...before, comment], changed: comment })
    },
  })
}

/**
 * Changes the text of a comment, or its state. Errors: `not_found`; `forbidden`, also for the text of
 * somebody else; `invalid` for the state of an answer; `invalid_state` when the comments would be too
 * long.
 */
export function updateComment(
  call: Call,
  { id, body, state, ...ref }: ParsedOf<Update>,
): Promise<OutputOf<Update>> {
  return withPackage(call, ref, {
    key: 'packages.comment',
    async work(call, scope) {
      const comments = await readComments(call.store, scope.package.id)
      const { stored, json } = await findComment(call, scope, { comments, id })
      const changed = withState(call, withBody(call, stored, body), state)
      if (changed === stored) return json
      const after = { ...changed, updatedDate: call.now }
      const all = comments.map((comment) => (comment.id === id ? after : comment))
      return storeComments(call, scope, { comments: all, changed: after })
    },
  })
}

/**
 * Whoever wrote a package asks for its review, also anew; others who may not merge it take back no
 * approval. Errors: `forbidden` for a decision without the key to merge.
 */
function requireMayDecide(
  call: Call,
  { branch, package: { review, createdByUser } }: PackageScope,
  decision: StoredComment['decision'],
): void {
  const isOwn = createdByUser.userName === call.identity.ref.userName
  const isAsked = decision === 'request' && (isOwn || review?.state !== 'approved')
  if (decision !== null && !isAsked)
    requirePermission(call, 'packages.merge', { repositoryId: branch.repositoryId })
}

interface NewAnswer {
  readonly input: ParsedOf<Add>
  readonly comments: readonly StoredComment[]
}

/** The comment to answer; null if this is no answer. Errors: `invalid`. */
async function parentOf(
  call: Call,
  scope: PackageScope,
  { input: { parentId, entityId, path, decision }, comments }: NewAnswer,
): Promise<StoredComment | null> {
  if (parentId === undefined) return null
  const parent = (await visibleComments(call, scope, comments)).find(({ stored }) => stored.id === parentId)
  const issue = (path: string, message: string) => invalid([{ path, message }])
  if (!parent) throw issue('parentId', 'names no comment on this package that you may read')
  if (parent.stored.parentId !== null)
    throw issue('parentId', `is an answer itself: answer the comment "${parent.stored.parentId}"`)
  if (entityId !== undefined || path !== undefined)
    throw issue(
      entityId === undefined ? 'path' : 'entityId',
      'is that of the comment that you answer: leave it out',
    )
  if (decision !== undefined)
    throw issue('decision', 'cannot be that of an answer: add a comment without parentId')
  return parent.stored
}

/** What a comment is about; null for the package. Errors: `invalid`. */
async function subjectOf(
  call: Call,
  { branch }: PackageScope,
  { entityId, path }: ParsedOf<Add>,
): Promise<CommentSubject | null> {
  if (entityId === undefined) {
    if (path === undefined) return null
    throw invalid([{ path: 'path', message: 'is a member of an entity: name it in entityId' }])
  }
  const head = await ownHead(call.store.entities, branch, entityId)
  if (!head || !mayReadHead(call, head)) {
    const message = 'names nothing that this package changes and that you may read'
    throw invalid([{ path: 'entityId', message }])
  }
  return { entity: changedEntity(head), path: path ?? '', readers: head.roles.read }
}

interface CommentRef {
  readonly comments: readonly StoredComment[]
  readonly id: string
}

/** Errors: `not_found`, also for a comment that the caller may not read. */
async function findComment(
  call: Call,
  scope: PackageScope,
  { comments, id }: CommentRef,
): Promise<VisibleComment> {
  const found = (await visibleComments(call, scope, comments)).find(({ stored }) => stored.id === id)
  if (found) return found
  throw new QuireError('not_found', `There is no comment "${id}" on this package that you may read.`)
}

/** Errors: `forbidden` unless the caller is the author. */
function withBody({ identity }: Call, comment: StoredComment, body: string | undefined): StoredComment {
  if (body === undefined || body === comment.body) return comment
  if (comment.owner === identity.owner) return { ...comment, body }
  throw new QuireError('forbidden', 'Only its author can change the text of a comment: answer it instead.')
}

/** Errors: `invalid` for an answer. */
function withState(
  { now, identity }: Call,
  comment: StoredComment,
  state: StoredComment['state'] | undefined,
): StoredComment {
  if (state === undefined) return comment
  if (comment.parentId !== null) {
    const message = `is that of the comment "${comment.parentId}", which this one answers: change it there`
    throw invalid([{ path: 'state', message }])
  }
  if (state === comment.state) return comment
  if (state === 'open') return { ...comment, state, resolvedDate: null, resolvedByUser: null }
  return { ...comment, state, resolvedDate: now, resolvedByUser: identity.ref }
}

interface ChangedComments {
  readonly comments: readonly StoredComment[]
  readonly changed: StoredComment
}

/** Stores the comments with the entry in the journal, which never has the text. */
async function storeComments(
  call: WriteCall,
  scope: PackageScope,
  { comments, changed: { id, about, decision, state } }: ChangedComments,
): Promise<OutputOf<Add>> {
  // Half of the room is left to people, who have to decide about what agents do.
  if (call.identity.isAgent) requireRoom(comments, 0.5)
  await writeComments(call.store, scope.package.id, comments)
  const entity = about && { entity: about.entity.id }
  const details = { commentId: id, decision, state, ...entity }
  await call.record(packageEvent(call, 'PACKAGE_COMMENTED', { about: scope.package, details }))
  return (await findComment(call, scope, { comments, id })).json
}
