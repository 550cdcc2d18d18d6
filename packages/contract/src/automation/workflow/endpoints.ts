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
    summary: 'Start the review of a package, or act on it',
    description:
      'If the service or the engine rejects the event, the response is 400 with the usual members, `success` false and a readable `error` (specification 7.4), and nothing has changed. ' +
      'If it is unknown whether the engine accepted the event, the service retries with the same key, and you can do the same. ' +
      '`cancel` deletes the package whatever the engine responds, with or without a workflow; after the merge it is 409 `package_merged`.',
    permission: { key: ['workflow.start', 'workflow.act', 'workflow.assign'], on: 'repository' },
    asksOthers: true,
    input: z.strictObject({
      event: WorkflowEvent,
      ...onReviewed,
      workflowId: Id.optional().describe(
        'For `start`: the workflow definition. Default: the one of the repository',
      ),
      targetStep: Step.optional().describe('For `route`: the step to go to'),
      comment: Comment.describe(
        'Comment for the history; also sent to the engine, except for `start` and `assign`',
      ),
      assignee: Assignee.optional().describe('For `assign`: who is to act'),
      metadata: WorkflowMetadata.optional().describe('Additional members of the request to the engine'),
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
    summary: 'Report the status of a workflow (for engines)',
    description:
      'Authenticated by `X-API-Key` or `X-Webhook-Signature` (specification 5.3) of the connection that the workflow runs on. ' +
      'The signature is `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`, at most five minutes old. Sending the same message twice has one effect. ' +
      'Any status is accepted in any state: `active` after `completed` reopens the review. Once the package is merged, a message is only added to the history.',
    permission: 'public',
    body: 'signed',
    bodyBytes: limits.publicBodyBytes,
    input: z.strictObject({
      apiKey: z.string().max(limits.id).optional().describe('Sent as the header `X-API-Key`'),
      signature: z.string().max(1000).optional().describe('Sent as the header `X-Webhook-Signature`'),
      messageId: z
        .string()
        .max(limits.id)
        .optional()
        .describe('Sent as the header `Idempotency-Key`: a repeated message with the same key has no effect'),
      workflowInstanceId: z.string().min(1).max(limits.id),
      ...onReviewed,
      currentStep: Step,
      status: WorkflowStatus,
      nextActionUrl: z
        .string()
        .max(2000)
        .nullish()
        .describe('URL on the origin of the connection or on one that it allows; any other URL is ignored'),
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
    summary: 'Read the review of a package',
    description: 'For a deleted package, send its id instead of its name.',
    permission: { key: 'packages.view', on: 'repository' },
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
    description: `Returns the newest ${limits.workflowInboxHistory} entries of each history; \`workflow.get\` returns all.`,
    permission: { key: 'packages.view', on: 'repository' },
    input: z.strictObject({
      repo: RepositoryRef,
      assignee: Id.optional().describe('Only reviews assigned to this user; `me`: to you'),
      mayAct: z
        .boolean()
        .optional()
        .describe(
          'true: only reviews that you may act on now; false: only the others. You may act on reviews that are assigned to you, on unassigned reviews of your groups, and on all that you may assign',
        ),
      status: WorkflowStatus.optional().describe('Only reviews with this status. Default: active and error'),
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
