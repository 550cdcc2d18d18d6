import { z } from 'zod'
import { Id, ProgramName, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { ChangedEntity } from './shapes.ts'

/** What a comment decides about the package. */
export const ReviewDecision = z
  .enum(['request', 'approve', 'requestChanges'])
  .describe(
    'request: people are asked to review the package; approve: it may be merged; requestChanges: it is sent back',
  )

/** Whether something remains to be done about a comment. */
export const CommentState = z
  .enum(['open', 'resolved'])
  .describe('Whether something remains to be done. An answer has the state of the comment that it answers')

/** The text of a comment. */
export const CommentBody = z
  .string()
  .trim()
  .min(1)
  .max(limits.packageComment)
  .describe('Plain text, 1 to 10 000 characters')

/** A comment on a package, or on something that it changes. */
export const PackageComment = z
  .object({
    id: Id,
    repositoryId: Id,
    packageName: z.string(),
    body: CommentBody,
    entity: ChangedEntity.nullable().describe('What it is about; null: the package as a whole'),
    path: z
      .string()
      .nullable()
      .describe('The member of the entity in dot notation; empty: all of it; null without an entity'),
    parentId: Id.nullable().describe('The comment that it answers'),
    decision: ReviewDecision.nullable().describe('What it decides about the package'),
    state: CommentState,
    createdDate: UnixMs,
    createdByUser: UserRef,
    updatedDate: UnixMs.describe('When the text or the state last changed'),
    resolvedDate: UnixMs.nullable(),
    resolvedByUser: UserRef.nullable(),
    program: ProgramName,
  })
  .meta({ id: 'PackageComment', description: 'A comment on a package, or on something that it changes' })

/** A comment on a package, or on something that it changes. */
export type PackageComment = z.output<typeof PackageComment>
