import { z } from 'zod'
import { RedactedUpstreamAuth, UpstreamAuth } from '../../connections/access/shapes.ts'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'

const Address = z.string().max(2000)
/** A secret that authenticates callbacks. */
export const CallbackSecret = z.string().min(3).max(limits.id).nullable()

/** The members of a connection that a caller can set (specification 2.15). */
export const connectionMembers = {
  name: Name.describe('Unique name'),
  baseUrl: Address.describe(
    'Base URL of the engine: http or https, without credentials, query or fragment, on a public address or one that the operator allows',
  ),
  callbackBaseUrl: Address.describe('Base URL of this service, as the engine reaches it'),
  auth: UpstreamAuth,
  callback: z
    .strictObject({
      apiKey: CallbackSecret.default(null).describe('The key that the engine sends in `X-API-Key`'),
      signingSecret: CallbackSecret.default(null).describe(
        'The secret that the engine signs with, for `X-Webhook-Signature`',
      ),
    })
    .describe(
      'How callbacks of the engine are authenticated: secrets of at least 16 characters. Never shown: responses have `***`, and sending `***` keeps the current value. A replaced secret stays valid for one more day; null revokes it at once',
    ),
  allowedOrigins: z
    .array(Address)
    .max(20)
    .describe(
      'Other origins that are allowed in `nextActionUrl` of the engine. They also receive its credentials',
    ),
  timeoutMs: z
    .int()
    .min(100)
    .max(limits.workflowTimeout)
    .describe('Milliseconds in which the engine must respond'),
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

/** A connection to a workflow engine, as returned. */
export type WorkflowConnection = z.output<typeof WorkflowConnection>
