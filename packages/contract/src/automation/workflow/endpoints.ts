import { z } from 'zod'
import { Id, listInput, listOf, RepositoryRef, UserRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { onPackage } from '../../branches/packages/inputs.ts'
import { exampleInfo, exampleReview } from './examples.ts'
import {
  Assignee,
  onReviewed,
  Review,
  WorkflowEvent,
  WorkflowInfo,
  WorkflowMetadata,
  WorkflowOutcome,
  WorkflowStatus,
} from './shapes.ts'

const Comment = z.string().max(limits.comment).optional()
const Step = z.string().min(1).max(limits.name)
const Engine = { repositoryId: exampleReview.package.repositoryId, packageName: exampleReview.package.name }

/** The review of packages by an external engine (specification 4.8). */
export const workflow = {
  event: endpoint({
    binding: 'POST /api/workflow/events',
    withoutRoom: true,
    summary: 'Start the review of a package, or act in it',
    description:
      'What is refused, by us or by the engine, is 400 with the members of the answer, `success` false and `error` in words (specification 7.4): nothing has changed then. ' +
      'Where it is not known whether the engine took it, we ask again with the same key, and so can you. ' +
      '`cancel` deletes the package whatever the engine says, with or without a workflow; after the merge it is 409 `package_merged`.',
    permission: ['workflow.start', 'workflow.act', 'workflow.assign'],
    asksOthers: true,
    input: z.strictObject({
      event: WorkflowEvent,
      ...onReviewed,
      workflowId: Id.optional().describe(
        'Of `start`: the workflow definition. Default: that of the repository',
      ),
      targetStep: Step.optional().describe('Of `route`: the step to go to'),
      comment: Comment.describe(
        'What is said of it, in the history and, but for `start` and `assign`, to the engine',
      ),
      assignee: Assignee.optional().describe('Of `assign`: who is to act'),
      metadata: WorkflowMetadata.optional().describe('More members of what is posted to the engine'),
    }),
    output: WorkflowOutcome,
    errors: ['not_found', 'workflow_failed', 'package_merged', 'idempotency_mismatch'],
    example: {
      input: { event: 'start', repositoryId: 'magazine', packageName: Engine.packageName },
      output: { success: true, message: 'The review has begun.', workflowInfo: exampleInfo },
    },
  }),
  status: endpoint({
    binding: 'POST /api/workflow/status',
    summary: 'Tell where a workflow stands (for engines)',
    description:
      'Known by `X-API-Key` or by `X-Webhook-Signature` (specification 5.3), of the connection that the workflow runs on. ' +
      'The signature is `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, at most five minutes old. The same message twice has one effect. ' +
      'It counts wherever the workflow stands: `active` after `completed` opens the review again. Once the package is merged it adds to the history, and changes nothing.',
    permission: 'public',
    body: 'signed',
    bodyBytes: limits.publicBodyBytes,
    input: z.strictObject({
      apiKey: z.string().max(limits.id).optional().describe('Sent as `X-API-Key`'),
      signature: z.string().max(1000).optional().describe('Sent as `X-Webhook-Signature`'),
      messageId: z
        .string()
        .max(limits.id)
        .optional()
        .describe('Sent as `Idempotency-Key`: what comes again with it has no effect'),
      workflowInstanceId: z.string().min(1).max(limits.id),
      ...onReviewed,
      currentStep: Step,
      status: WorkflowStatus,
      nextActionUrl: z
        .string()
        .max(2000)
        .nullish()
        .describe('On the origin of the connection, or on one that it allows: another is left out'),
      assignee: UserRef.nullish(),
      comment: Comment,
      metadata: WorkflowMetadata.nullish(),
    }),
    output: WorkflowOutcome,
    errors: ['unauthorized', 'workflow_mismatch'],
    example: {
      input: {
        apiKey: 'p3GkX7wZc9Bf1Dn6Vj2R',
        workflowInstanceId: 'two-step-review-41',
        ...Engine,
        currentStep: 'legal',
        status: 'active',
      },
      output: {
        success: true,
        message: 'The workflow is at "legal".',
        workflowInfo: { ...exampleInfo, currentStep: 'legal' },
      },
    },
  }),
  get: endpoint({
    binding: 'GET /api/workflow/{repo}/{packageName}',
    summary: 'Read where the review of a package stands',
    description: 'Of a package that was deleted: by its id, in place of the name.',
    permission: 'packages.view',
    input: z.strictObject(onPackage),
    output: z.object({ workflowInfo: WorkflowInfo.nullable().describe('null: no workflow is attached') }),
    errors: ['not_found'],
    example: {
      input: { repo: 'magazine', packageName: Engine.packageName },
      output: { workflowInfo: exampleInfo },
    },
  }),
  inbox: endpoint({
    binding: 'GET /api/workflow/{repo}',
    summary: 'List packages under review',
    description: `Of each history the newest ${limits.workflowInboxHistory} entries; \`workflow.get\` has all.`,
    permission: 'packages.view',
    input: z.strictObject({
      repo: RepositoryRef,
      assignee: Id.optional().describe('Only those that are assigned to this user; `me`: to you'),
      mayAct: z
        .boolean()
        .optional()
        .describe(
          'Only those in which you may act now (or may not): those that are assigned to you, those of your groups that are assigned to nobody, and all where you may assign',
        ),
      status: WorkflowStatus.optional().describe('Only those in this state. Default: active and error'),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(Review),
    errors: ['not_found'],
    example: {
      input: { repo: 'magazine', mayAct: true },
      output: { count: 1, items: [exampleReview] },
    },
  }),
}
