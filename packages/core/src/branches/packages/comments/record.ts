import { limits, QuireError, type ChangedEntity, type PackageComment } from '@quire/contract'
import type { StoreReader, Transaction } from '../../../ports/index.ts'

/** A comment as stored. */
export interface StoredComment extends Omit<
  PackageComment,
  'repositoryId' | 'packageName' | 'entity' | 'path'
> {
  /** What it is about, as it was then; null: the package. An answer has that of its parent. */
  readonly about: CommentSubject | null
  /** The author: unlike an e-mail address, it never belongs to somebody else later. */
  readonly owner: string
}

/** What a comment is about. */
export interface CommentSubject {
  readonly entity: ChangedEntity
  readonly path: string
  /** The roles that could read the entity, which decide once it is gone. */
  readonly readers: readonly string[]
}

/** The comments of a package. The id is the package's id. */
interface CommentsRecord {
  readonly id: string
  /**
   * `StoredComment[]` as JSON, oldest first. Stores keep records in memory, where one string is the
   * cheapest form.
   */
  readonly comments: string
}

declare module '../../../ports/records.ts' {
  interface RecordKinds {
    packageComments: CommentsRecord
  }
}

/** The comments of a package, oldest first. */
export async function readComments(
  { records }: Pick<StoreReader, 'records'>,
  packageId: string,
): Promise<readonly StoredComment[]> {
  const record = await records.get('packageComments', packageId)
  return JSON.parse(record?.comments ?? '[]')
}

/** Stores the comments of a package. Errors: `invalid_state` when they are too many or too long. */
export async function writeComments(
  { records }: Transaction,
  packageId: string,
  comments: readonly StoredComment[],
): Promise<void> {
  requireRoom(comments)
  const before = await records.get('packageComments', packageId)
  const record = { id: packageId, comments: JSON.stringify(comments) }
  await records.put('packageComments', record, before?.revision ?? 0)
}

/** Errors: `invalid_state` when comments are more than a share of what a package takes, or too long. */
export function requireRoom(comments: readonly StoredComment[], share = 1): void {
  const [most, mostText] = [limits.packageComments * share, limits.packageCommentsText * share]
  if (comments.length > most) throw tooMany(`It has ${most} comments, which is the most`)
  const length = comments.reduce((sum, { body }) => sum + body.length, 0)
  if (length > mostText) throw tooMany(`Its comments would have more than ${mostText} characters`)
}

function tooMany(why: string): QuireError {
  return new QuireError('invalid_state', `The package takes no more comments: ${why}. Merge it or delete it.`)
}

/** Deletes the comments of a package. */
export async function deleteComments({ records }: Transaction, packageId: string): Promise<void> {
  const record = await records.get('packageComments', packageId)
  if (record) await records.delete('packageComments', record.id, record.revision)
}
