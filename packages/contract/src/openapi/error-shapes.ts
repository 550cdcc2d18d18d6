import { z } from 'zod'
import { errorTable } from '../error-table.ts'
import type { ErrorBody, ErrorCode } from '../errors.ts'
import { exampleConflict } from '../branches/packages/examples.ts'
import { MergeConflict } from '../branches/packages/shapes.ts'
import { IssueShape } from '../content/items/shapes.ts'
import { WorkflowInfo } from '../automation/workflow/shapes.ts'

/** The schema of the error body (specification 7.1). */
export const ErrorShape = z
  .object({
    error: z.literal(true),
    message: z.string().describe('What is wrong and what to do, in words'),
    code: z.enum(Object.keys(errorTable)).describe('The stable error code'),
    requestId: z.string().describe('Id of the request, for finding it in the log; also in `X-Request-Id`'),
    issues: z
      .array(IssueShape)
      .optional()
      .describe('With `invalid` and `not_publishable`: the members that are wrong'),
    conflicts: z
      .array(
        z.union([
          MergeConflict,
          z.object({ path: z.string(), base: z.unknown(), yours: z.unknown(), theirs: z.unknown() }),
        ]),
      )
      .optional()
      .describe(
        'With `version_conflict` and `merge_conflict`: the members that both sides changed differently',
      ),
    details: z.record(z.string(), z.unknown()).optional().describe('Further details'),
  })
  .meta({
    id: 'Error',
    description: 'The error body of every endpoint except the token endpoint (specification 7.1)',
  })

/** The schema of the token endpoint's error body (specification 7.2). */
export const TokenErrorShape = z
  .object({
    error: z.string().describe('An OAuth2 error code'),
    error_description: z.string().optional().describe('What is wrong, in words'),
  })
  .meta({ id: 'TokenError', description: 'The error body of the token endpoint (specification 7.2)' })

/** The schema of the body of a failed workflow event (specification 4.8, 7.4). */
export const WorkflowErrorShape = ErrorShape.extend({
  success: z.literal(false),
  error: z.string().describe('What is wrong, in words'),
  workflowInfo: WorkflowInfo.nullable().describe('The review now; null if that is not known'),
}).meta({ id: 'WorkflowError', description: 'The error body of a failed workflow event (specification 7.4)' })

/** An example of an error body. */
export function exampleError(code: ErrorCode): ErrorBody {
  const body: ErrorBody = {
    error: true,
    message: errorTable[code].message,
    code,
    requestId: 'a1f4c2d0-7f0e-4f7e-9a52-0c4f7e2b9d61',
  }
  if (code === 'invalid')
    return { ...body, message: 'slug: is too long', issues: [{ path: 'slug', message: 'is too long' }] }
  if (code === 'not_publishable')
    return { ...body, issues: [{ path: 'fields.body', message: 'is required' }] }
  if (code === 'version_conflict') {
    return { ...body, conflicts: [{ path: 'fields.readingMinutes', base: 5, yours: 7, theirs: 6 }] }
  }
  if (code === 'merge_conflict') return { ...body, conflicts: [exampleConflict] }
  return body
}
