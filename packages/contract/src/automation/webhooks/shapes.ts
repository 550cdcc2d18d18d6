import { z } from 'zod'
import { Id, Name, UnixMs } from '../../conventions.ts'
import { webhookEvents } from '../events/words.ts'
import { limits } from '../../limits.ts'

/** A path into what is delivered, in dot notation: members, and places of lists by number. */
const DotPath = z
  .string()
  .min(1)
  .max(limits.dotPath)
  .refine((path) => path.split('.').length <= limits.dotNames, 'has too many names')
  .refine((path) => !/(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|$)/.test(path), 'names no such member')
  .describe('A path in dot notation: `fields.price`, `taxonomies.0.name`')

/** Names of headers are the same in capitals and small letters. */
function isEachOnce(headers: readonly { readonly name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length
}

/** What a webhook sends, as it is set. */
export const webhookMembers = {
  name: Name,
  enabled: z.boolean().describe('Whether events trigger it'),
  url: z
    .string()
    .max(2000)
    .describe('Where deliveries are posted: http or https, without credentials, on a public address'),
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
    .describe('What is posted (specification 6.4): everything, the essentials, the template, nothing'),
  template: z
    .string()
    .max(limits.webhookTemplate)
    .nullable()
    .describe(
      'Of `custom`: JSON whose texts may hold `{{path}}`, a path into `{ event, data, webhook }`. Where it is null or not JSON, the full payload is sent',
    ),
  headers: z
    .array(
      z.strictObject({
        name: z
          .string()
          .max(100)
          .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'),
        value: z
          .string()
          .max(1000)
          .regex(/^[\x20-\x7e]*$/, 'must be visible ASCII')
          .describe('A fixed text; or, where it leads to something in the item, a path in dot notation'),
      }),
    )
    .max(limits.webhookHeaders)
    .refine(isEachOnce, 'must name each header once')
    .describe(
      'Headers of each delivery. Values are secrets: answers show them as `***`, and `***` keeps what was set',
    ),
  mapping: z
    .record(z.string().min(1).max(100), DotPath)
    .refine((mapping) => Object.keys(mapping).length <= limits.webhookMapping, 'has too many members')
    .describe(
      'Of `full` and `basic`: further members of the body, each with the path of its value in the item',
    ),
  includeText: z.boolean().describe('Whether `data` of an asset holds the text of its file'),
  secret: z
    .string()
    .regex(/^(?:whsec_[A-Za-z0-9+/]{32,88}={0,2}|\*\*\*)$/, 'must be `whsec_` and 24 to 64 bytes in base64')
    .nullable()
    .describe(
      'Signs deliveries as Standard Webhooks says: `whsec_` and 24 to 64 bytes in base64. Never shown: answers have `***`, which keeps what was set; null: not signed',
    ),
}

/** A webhook (specification 2.16). */
export const Webhook = z
  .object({
    id: Id,
    repositoryId: Id,
    ...webhookMembers,
    secret: z.literal('***').nullable().describe('`***` where deliveries are signed; null where not'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'Webhook', description: 'A webhook (specification 2.16); what is secret of it is not shown' })

/** A webhook as answered. */
export type Webhook = z.output<typeof Webhook>

/** One attempt to deliver an event. */
export const Delivery = z
  .object({
    id: Id.describe('Sent as `webhook-id`: a delivery is attempted once'),
    webhookId: Id,
    event: z.string().describe('What happened; `TEST` of a test'),
    entityId: z.string().describe('What it happened to'),
    state: z
      .enum(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
      .describe('succeeded: answered with 2xx. failed: anything else, see `error`'),
    createdDate: UnixMs,
    startedDate: UnixMs.nullable().describe('When it was sent; null before'),
    finishedDate: UnixMs.nullable().describe('When its answer was there, or it was given up'),
    status: z.int().nullable().describe('HTTP status of the answer; null without one'),
    ms: z.int().nullable().describe('From the request to the end of its answer'),
    answer: z.string().nullable().describe('The first 4 KiB of the answer, as text'),
    error: z.string().nullable().describe('Why it failed'),
    redeliveryOf: Id.nullable().describe('The delivery that this one repeats'),
  })
  .meta({ id: 'Delivery', description: 'One attempt to deliver an event' })

/** One attempt to deliver an event. */
export type Delivery = z.output<typeof Delivery>
