import { QuireError, type Contract, type Delivery, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { pageOfJobs, newJob } from '../../engine/job.ts'
import type { WrittenState } from '../../content/items/versions.ts'
import type { Job } from '../../ports/index.ts'
import type { StoredData } from './payload.ts'
import { requireChangeableWebhook, findWebhook } from './find.ts'
import { deliveryKind } from './record.ts'

type Webhooks = Contract['webhooks']

/** The event of a delivery. */
interface EventRef {
  readonly event: string
  readonly entityId: string
  /** The locales that it concerns, of an item in a repository with locales. */
  readonly locales?: readonly string[]
  readonly redeliveryOf?: string
}

/**
 * The payload of the delivery job. Without `item`, the body of the job holds the data of the event,
 * as the text of a JSON object.
 */
export interface DeliveryPayload extends EventRef {
  readonly item?: WrittenState
}

interface QueuedDelivery {
  readonly webhook: { readonly id: string; readonly repositoryId: string }
  readonly event: EventRef
  readonly data: StoredData
}

export function queueDelivery(call: WriteCall, { webhook, event, data }: QueuedDelivery): Promise<Job> {
  const { id: subject, repositoryId } = webhook
  const content =
    'text' in data
      ? { payload: { ...event }, body: data.text }
      : { payload: { ...event, item: { ...data.item } } }
  // Attempted once (specification 6.3.3).
  return call.enqueue(newJob(call, { kind: deliveryKind, repositoryId, subject, maxAttempts: 1, ...content }))
}

/** The deliveries of a webhook, newest first. Errors: `not_found`; `invalid` for a bad cursor. */
export async function listDeliveries(
  call: Call,
  { id, state, ...page }: ParsedOf<Webhooks['deliveries']>,
): Promise<OutputOf<Webhooks['deliveries']>> {
  await findWebhook(call, id)
  const filter = { kind: deliveryKind, subject: id, ...(state !== undefined && { state }) }
  return pageOfJobs(call, filter, { ...page, serialize: serializeDelivery })
}

/** Queues a delivery of a made-up event. Errors: `not_found`, `forbidden`. */
export async function testWebhook(call: Call, { id }: ParsedOf<Webhooks['test']>): Promise<Delivery> {
  return call.write(async (call) => {
    const webhook = await requireChangeableWebhook(call, id)
    const event = { event: testEvent, entityId: testItem.id }
    const data = { text: JSON.stringify({ ...testItem, repositoryId: webhook.repositoryId }) }
    return serializeDelivery(await queueDelivery(call, { webhook, event, data }))
  })
}

/**
 * Queues a new delivery of the event of an existing delivery. Errors: `not_found`, `forbidden`;
 * `invalid_state` while the webhook is disabled.
 */
export async function redeliver(
  call: Call,
  { id, deliveryId }: ParsedOf<Webhooks['redeliver']>,
): Promise<Delivery> {
  return call.write(async (call) => {
    const webhook = await requireChangeableWebhook(call, id)
    const found = await call.store.jobs.get(deliveryId)
    if (found?.kind !== deliveryKind || found.subject !== id)
      throw new QuireError('not_found', `The webhook has no delivery "${deliveryId}".`)
    if (!webhook.enabled)
      throw new QuireError(
        'invalid_state',
        'The webhook is disabled. Enable it before you redeliver an event.',
      )
    const { event: name, entityId, locales } = payloadOf(found)
    const event = { event: name, entityId, ...(locales && { locales }), redeliveryOf: deliveryId }
    return serializeDelivery(await queueDelivery(call, { webhook, event, data: storedDataOf(found) }))
  })
}

/** The event of test deliveries. */
export const testEvent = 'TEST'

const testItem = { id: 'CONT_TEST', name: 'A test of this webhook', slug: 'test', type: 'test', fields: {} }

export function payloadOf({ payload }: Job): DeliveryPayload {
  // Only this file queues jobs of this kind.
  return payload as unknown as DeliveryPayload
}

/** The data that the delivery was queued with. */
export function storedDataOf(job: Job): StoredData {
  const { item } = payloadOf(job)
  if (item) return { item }
  if (job.body === null) throw new TypeError(`The delivery ${job.id} has no data.`)
  return { text: job.body }
}

/** The result of a delivery job: the answer of the target. */
export interface DeliveryResult {
  /** Null if there was no answer. */
  readonly status: number | null
  readonly ms: number | null
  readonly answer: string | null
}

export function serializeDelivery(job: Job): Delivery {
  const { id, subject, state, createdAt, startedAt, finishedAt, error } = job
  const { event, entityId, redeliveryOf = null } = payloadOf(job)
  const { status = null, ms = null, answer = null } = (job.result ?? {}) as Partial<DeliveryResult>
  return {
    id,
    webhookId: subject,
    event,
    entityId,
    state,
    createdDate: createdAt,
    startedDate: startedAt,
    finishedDate: finishedAt,
    status,
    ms,
    answer,
    error,
    redeliveryOf,
  }
}
