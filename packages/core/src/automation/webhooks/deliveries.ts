import { QuireError, type Contract, type Delivery, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { pageOfJobs, newJob } from '../../engine/job.ts'
import type { AsWritten } from '../../content/items/versions.ts'
import type { Job } from '../../ports/index.ts'
import type { StoredData } from './payload.ts'
import { changeableWebhook, findWebhook } from './find.ts'
import { deliveryKind } from './record.ts'

type Webhooks = Contract['webhooks']

/** The event that a delivery tells of. */
interface EventRef {
  readonly event: string
  readonly entityId: string
  readonly redeliveryOf?: string
}

/** The payload of its job. Without `item`, what it happened to is the body of the job: a JSON object as text. */
export interface DeliveryPayload extends EventRef {
  readonly item?: AsWritten
}

interface QueuedDelivery {
  readonly webhook: { readonly id: string; readonly repositoryId: string }
  readonly event: EventRef
  readonly data: StoredData
}

/** Puts a delivery into the queue. */
export function queueDelivery(call: WriteCall, { webhook, event, data }: QueuedDelivery): Promise<Job> {
  const { id: subject, repositoryId } = webhook
  const carried =
    'text' in data
      ? { payload: { ...event }, body: data.text }
      : { payload: { ...event, item: { ...data.item } } }
  // Attempted once (specification 6.3.3).
  const wanted = { kind: deliveryKind, repositoryId, subject, maxAttempts: 1, ...carried }
  return call.enqueue(newJob(call, wanted))
}

/** The log of deliveries of a webhook, the newest first. Errors: `not_found`, `invalid`. */
export async function listDeliveries(
  call: Call,
  { id, state, ...page }: ParsedOf<Webhooks['deliveries']>,
): Promise<OutputOf<Webhooks['deliveries']>> {
  await findWebhook(call, id)
  const narrowed = { kind: deliveryKind, subject: id, ...(state !== undefined && { state }) }
  return pageOfJobs(call, narrowed, { ...page, existing: serializeDelivery })
}

/** Queues a delivery of an event that never was. Errors: `not_found`, `forbidden`. */
export async function testWebhook(call: Call, { id }: ParsedOf<Webhooks['test']>): Promise<Delivery> {
  return call.write(async (call) => {
    const webhook = await changeableWebhook(call, id)
    const event = { event: testEvent, entityId: testItem.id }
    const data = { text: JSON.stringify({ ...testItem, repositoryId: webhook.repositoryId }) }
    return serializeDelivery(await queueDelivery(call, { webhook, event, data }))
  })
}

/** Queues a new delivery of what another one delivered. Errors: `not_found`, `forbidden`; `invalid_state` while the webhook is disabled. */
export async function redeliver(
  call: Call,
  { id, deliveryId }: ParsedOf<Webhooks['redeliver']>,
): Promise<Delivery> {
  return call.write(async (call) => {
    const webhook = await changeableWebhook(call, id)
    const found = await call.store.jobs.get(deliveryId)
    if (found?.kind !== deliveryKind || found.subject !== id)
      throw new QuireError('not_found', `The webhook has no delivery "${deliveryId}".`)
    if (!webhook.enabled)
      throw new QuireError('invalid_state', 'The webhook is disabled: enable it to have an event sent again.')
    const { event: name, entityId } = payloadOf(found)
    const event = { event: name, entityId, redeliveryOf: deliveryId }
    return serializeDelivery(await queueDelivery(call, { webhook, event, data: storedIn(found) }))
  })
}

/** The event of test deliveries. */
export const testEvent = 'TEST'

const testItem = { id: 'CONT_TEST', name: 'A test of this webhook', slug: 'test', type: 'test', fields: {} }

/** What a delivery carries, as it was queued. */
export function payloadOf({ payload }: Job): DeliveryPayload {
  // Jobs of this kind are queued here alone.
  return payload as unknown as DeliveryPayload
}

/** What a delivery keeps of what its event is about. */
export function storedIn(job: Job): StoredData {
  const { item } = payloadOf(job)
  if (item) return { item }
  if (job.body === null) throw new TypeError(`The delivery ${job.id} has nothing to send.`)
  return { text: job.body }
}

/** What is kept of an answer, in the result of the job. */
export interface DeliveryResult {
  readonly status: number | null
  readonly ms: number | null
  readonly answer: string | null
}

/** A delivery as it is sent. */
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
