import { z } from 'zod'
import { RedactedUpstreamAuth, UpstreamAuth } from '../../connections/access/shapes.ts'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

const Address = z.string().max(2000)
/** What callbacks are known by. */
export const CallbackSecret = z.string().min(3).max(limits.id).nullable()

/** What a connection is made of (specification 2.15). */
export const connectionMembers = {
  name: Name.describe('Its name, unique'),
  baseUrl: Address.describe(
    'The address of the engine: http or https, without credentials, query or fragment; on a public address, or one that the operator allows',
  ),
  callbackBaseUrl: Address.describe('The address of this service, as the engine reaches it'),
  auth: UpstreamAuth,
  callback: z
    .strictObject({
      apiKey: CallbackSecret.default(null).describe('What the engine sends as `X-API-Key`'),
      signingSecret: CallbackSecret.default(null).describe(
        'What the engine signs with, in `X-Webhook-Signature`',
      ),
    })
    .describe(
      'How callbacks of the engine are known: 16 characters or more. Never shown: answers have `***`, which keeps what was set. What is replaced counts for a day more; null ends it at once',
    ),
  allowedOrigins: z
    .array(Address)
    .max(20)
    .describe('Other origins that the engine may name in `nextActionUrl`: they are sent its credentials too'),
  timeoutMs: z
    .int()
    .min(100)
    .max(limits.workflowTimeout)
    .describe('Milliseconds that the engine has for an answer'),
}

/** A connection to a workflow engine (specification 2.15). */
export const WorkflowConnection = z
  .object({
    id: Id,
    ...connectionMembers,
    auth: RedactedUpstreamAuth,
    callback: z.object({
      apiKey: z.literal('***').nullable(),
      signingSecret: z.literal('***').nullable(),
    }),
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({
    id: 'WorkflowConnection',
    description: 'A connection to a workflow engine (specification 2.15); secrets are `***`',
  })

/** A connection to a workflow engine, as answered. */
export type WorkflowConnection = z.output<typeof WorkflowConnection>
