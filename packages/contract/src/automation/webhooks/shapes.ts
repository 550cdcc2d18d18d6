import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { webhookEvents } from '../events/words.ts'
import { limits } from '../../limits.ts'

/** A path into the delivered data in dot notation: names of members, and indexes of lists. */
const DotPath = z
  .string()
  .min(1)
  .max(limits.dotPath)
  .refine((path) => path.split('.').length <= limits.dotNames, 'has too many names')
  .refine((path) => !/(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|$)/.test(path), 'is not a valid path')
  .describe('A path in dot notation: `fields.price`, `taxonomies.0.name`')

/** Whether no header occurs twice. Header names are case-insensitive. */
function isEachOnce(headers: readonly { readonly name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length
}

/** The members of a webhook that a caller can set. */
export const webhookMembers = {
  name: Name,
  enabled: z.boolean().describe('Whether events trigger it'),
  url: z
    .string()
    .max(2000)
    .describe('URL that deliveries are posted to: http or https, without credentials, on a public address'),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .max(webhookEvents.length)
    .describe('The events that trigger it (specification 6.1)'),
  types: z
    .array(z.string().min(1).max(limits.name))
    .max(200)
    .describe('Names of the content types that trigger it; empty: all'),
  payloadSize: z
    .enum(['full', 'basic', 'custom', 'none'])
    .describe(
      'The body of a delivery (specification 6.4): full: everything; basic: the essentials; custom: the template; none: no body',
    ),
  template: z
    .string()
    .max(limits.webhookTemplate)
    .nullable()
    .describe(
      'For `custom`: JSON whose texts can contain `{{path}}`, a path into `{ event, data, webhook }`. If it is null or not JSON, the full payload is sent',
    ),
  headers: z
    .array(
      z.strictObject({
        name: z
          .string()
          .max(100)
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name'),
        value: z
          .string()
          .max(1000)
          .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII')
          .describe('A path in dot notation, if it matches something in the item; otherwise a fixed text'),
      }),
    )
    .max(limits.webhookHeaders)
    .refine(isEachOnce, 'must name each header once')
    .describe(
      'Headers of each delivery. Values are secrets: responses show them as `***`, and sending `***` keeps the current value',
    ),
  mapping: z
    .record(z.string().min(1).max(100), DotPath)
    .refine((mapping) => Object.keys(mapping).length <= limits.webhookMapping, 'has too many members')
    .describe(
      'For `full` and `basic`: additional members of the body, each with the path of its value in the item',
    ),
  includeText: z.boolean().describe('Whether `data` of an asset includes the text of its file'),
  secret: z
    .string()
    .regex(/^(?:whsec_[A-Za-z0-9+/]{32,88}={0,2}|\*\*\*)$/, 'must be `whsec_` and 24 to 64 bytes in base64')
    .nullable()
    .describe(
      'Signs deliveries as defined by Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. Never shown: responses have `***`, and sending `***` keeps the current secret; null: not signed',
    ),
}

/** A webhook (specification 2.16). */
export const Webhook = z
  .object({
    id: Id,
    repositoryId: Id,
    ...webhookMembers,
    secret: z.literal('***').nullable().describe('`***` if deliveries are signed; null if not'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'Webhook', description: 'A webhook (specification 2.16); its secrets are not shown' })

/** A webhook, as returned. */
export type Webhook = z.output<typeof Webhook>

/** One attempt to deliver an event. */
export const Delivery = z
  .object({
    id: Id.describe('Sent as `webhook-id`: a delivery is attempted once'),
    webhookId: Id,
    event: z.string().describe('The event; `TEST` for a test'),
    entityId: z.string().describe('Id of the entity that changed'),
    state: z
      .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
      .describe('succeeded: the response was 2xx. failed: anything else, see `error`'),
    createdDate: UnixMs,
    startedDate: UnixMs.nullable().describe('When it was sent; null until then'),
    finishedDate: UnixMs.nullable().describe(
      'When the response arrived, or the attempt was given up; null until then',
    ),
    status: z.int().nullable().describe('HTTP status of the response; null without a response'),
    ms: z.int().nullable().describe('Milliseconds from the request to the end of the response'),
    answer: z.string().nullable().describe('The first 4 KiB of the response, as text'),
    error: z.string().nullable().describe('Why it failed'),
    redeliveryOf: Id.nullable().describe('The delivery that this one repeats'),
  })
  .meta({ id: 'Delivery', description: 'One attempt to deliver an event' })

/** One attempt to deliver an event. */
export type Delivery = z.output<typeof Delivery>
