import { z } from 'zod'
import { Id, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleDraft, exampleItem, exampleItemPath } from './examples.ts'
import { comment, dryRun, onItem, onRepository } from './inputs.ts'
import { DeleteImpact, IssueShape, Item } from './shapes.ts'

const later = UnixMs.nullable()
  .optional()
  .describe(
    'When, in Unix milliseconds: an item has one such time, and a new one replaces it; null takes it back. Default: now',
  )

/** What changes the state of items, not their content; and bulk. */
export const itemStates = {
  publish: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/publish'),
    summary: 'Publish the head of an item',
    description:
      'The head becomes the published version and serves on while newer drafts come. With `at` it is put off, and answered as it is: then ' +
      'what is the head then is published, with the rights that you have then.',
    permission: 'items.publish',
    input: z.strictObject({ ...onItem, at: later, dryRun, comment }),
    output: Item,
    errors: ['not_found', 'not_publishable', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  unpublish: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/unpublish'),
    withoutRoom: true,
    summary: 'Take the published version back',
    description: 'With `at` it is put off, as with publish.',
    permission: 'items.publish',
    input: z.strictObject({ ...onItem, at: later, dryRun, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  archive: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/archive'),
    withoutRoom: true,
    summary: 'Hide an item from lists and published reads',
    permission: 'items.archive',
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: { ...exampleItem, status: 'archived', isArchived: true } },
  }),
  unarchive: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/unarchive'),
    summary: 'Bring an archived item back into lists',
    permission: 'items.archive',
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/items/{configId}/{id}'),
    summary: 'Delete an item',
    description:
      'Soft for 30 days, or as long as the settings say: see undelete. Refused while an item refers to it through a `restrict` field. `dryRun` names what it would do to ' +
      'the items that refer to it, and what refuses it, as an answer and not as an error.',
    permission: 'items.delete',
    input: z.strictObject({ ...onItem, dryRun, comment }),
    output: z
      .object({
        deleted: Item,
        wouldFail: z.boolean().describe('A `restrict` field refers to it, perhaps one that you may not see'),
        ...DeleteImpact.shape,
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'precondition_failed'],
    example: { input: exampleItemPath },
  }),
  undelete: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/undelete'),
    summary: 'Bring a deleted item back',
    permission: 'items.delete',
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  bulk: endpoint({
    binding: onBranch('POST /api/items/{configId}/bulk'),
    withoutRoom: true,
    summary: 'Do one thing to many items',
    description:
      'Answers the outcome of each id. `atomic`: all or none, and the error of the first that fails.',
    permission: ['items.update', 'items.publish', 'items.archive', 'items.delete'],
    input: z.strictObject({
      ...onRepository,
      action: z
        .enum([
          'update',
          'move',
          'publish',
          'unpublish',
          'archive',
          'unarchive',
          'delete',
          'undelete',
          'categorize',
          'decategorize',
        ])
        .describe('The operation to do to each'),
      ids: z.array(Id).min(1).max(limits.bulkIds).describe('Item ids, at most 500'),
      atomic: z.boolean().default(false).describe('All or none'),
      input: z.record(z.string(), z.json()).default({}).describe('What the operation takes beside the id'),
      dryRun,
    }),
    output: z.object({
      succeeded: z.int(),
      failed: z.int(),
      outcomes: z.array(
        z.object({
          id: Id,
          ok: z.boolean(),
          item: Item.optional().describe('As it is now, when it was not deleted'),
          impact: DeleteImpact.optional().describe('Of `delete` with `dryRun`'),
          error: z
            .object({ code: z.string(), message: z.string(), issues: z.array(IssueShape).optional() })
            .optional(),
        }),
      ),
    }),
    errors: [
      'not_found',
      'slug_taken',
      'version_conflict',
      'not_publishable',
      'invalid_state',
      'referenced',
      'idempotency_mismatch',
    ],
    example: {
      input: { configId: 'magazine', action: 'publish', ids: [exampleItem.id] },
      output: { succeeded: 1, failed: 0, outcomes: [{ id: exampleItem.id, ok: true, item: exampleItem }] },
    },
  }),
}
