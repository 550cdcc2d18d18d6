import { z } from 'zod'
import { Id, listInput, listOf } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { CommentBody, CommentState, PackageComment, ReviewDecision } from './comment-shapes.ts'
import { exampleComment, examplePackagePath } from './examples.ts'
import { onPackage } from './inputs.ts'

/** Operations on the comments of a package. */
export const packageComments = {
  comments: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/comments',
    summary: 'List the comments on a package',
    description: 'By id, oldest first. Comments on what you may not read are left out.',
    permission: { key: 'packages.view', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      state: CommentState.optional().describe('Only comments in this state'),
      entityId: Id.optional().describe('Only comments on this entity'),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(PackageComment),
    errors: ['not_found'],
    example: { input: examplePackagePath, output: { count: 1, items: [exampleComment] } },
  }),
  addComment: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/comments',
    summary: 'Comment on a package, or decide about it',
    description: `In any state of the package. To approve it or to request changes you also need \`packages.merge\`, as you do to ask for the review of an approved package of others. At most ${limits.packageComments} comments, half of them by agents.`,
    permission: { key: 'packages.comment', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      body: CommentBody,
      entityId: Id.optional().describe('The changed entity that it is about'),
      path: z
        .string()
        .max(1000)
        .optional()
        .describe('The member of the entity in dot notation; empty, the default: all of it'),
      parentId: Id.optional().describe('The comment that it answers, and whose entity it is about'),
      decision: ReviewDecision.optional(),
    }),
    output: PackageComment,
    success: 201,
    errors: ['not_found', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: {
        ...examplePackagePath,
        body: exampleComment.body,
        entityId: exampleComment.entity?.id,
        path: 'fields.readingMinutes',
      },
      output: exampleComment,
    },
  }),
  updateComment: endpoint({
    binding: 'PATCH /api/content/management/packages/{repo}/{packageName}/comments/{id}',
    summary: 'Change the text of a comment, resolve it or open it again',
    description: 'Only its author can change the text.',
    permission: { key: 'packages.comment', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      id: Id.describe('The comment'),
      body: CommentBody.optional(),
      state: CommentState.optional(),
    }),
    output: PackageComment,
    errors: ['not_found', 'invalid_state'],
    example: {
      input: { ...examplePackagePath, id: exampleComment.id, state: 'open' },
      output: exampleComment,
    },
  }),
}
