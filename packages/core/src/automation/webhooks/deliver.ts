import pLimit, { type LimitFunction } from 'p-limit'
import { remember, type Call } from '../../engine/call.ts'
import { JobFailed, type JobContext, type JobHandler } from '../../engine/job.ts'
import { sendRequest } from '../../engine/send.ts'
import {
  OutboundFailure,
  type Job,
  type JsonObject,
  type OutboundAnswer,
  type Stored,
} from '../../ports/index.ts'
import {
  storedDataOf,
  payloadOf,
  testEvent,
  type DeliveryPayload,
  type DeliveryResult,
} from './deliveries.ts'
import { textOf, bodyOf } from './payload.ts'
import {
  UnsendableDelivery,
  type OutgoingWebhook,
  customHeaders,
  type Header,
  signature,
} from './outgoing.ts'
import { openSecret } from './record.ts'

/**
 * The limits of TRUST 4.2, "Webhook". A slow host occupies only its own slots, so that other
 * deliveries go on.
 */
const sendLimits = { connectMs: 3000, totalMs: 10_000, maxAnswerBytes: 64 * 1024 }
const slotsOfAll = 32
const slotsOfHost = 4

/**
 * Length from which a body counts as large, in characters. Only two large bodies are in memory at a
 * time: two of 6 MiB take about 30 MiB with their encoded bytes and the data of their items, and 32
 * would take half a gigabyte.
 */
const largeBody = 256 * 1024
const slotsOfLarge = 2

/** Bytes of an answer that are stored in the log of deliveries. */
const mostOfAnswer = 4096

/**
 * Creates the handler that posts deliveries: one attempt each, at most four at a time to one host.
 */
export function createDeliveryHandler(): JobHandler {
  const hosts = new Map<string, LimitFunction>()
  const largeBodies = pLimit(slotsOfLarge)
  let inUse = 0
  const counted = async <T>(send: () => Promise<T>): Promise<T> => {
    inUse += 1
    try {
      return await send()
    } finally {
      inUse -= 1
    }
  }
  const atHost = async <T>(host: string, send: () => Promise<T>): Promise<T> => {
    const limit = hosts.get(host) ?? pLimit(slotsOfHost)
    hosts.set(host, limit)
    try {
      return await limit(() => counted(send))
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) hosts.delete(host)
    }
  }
  return {
    slots: slotsOfAll,
    inUse: () => inUse,
    each: slotsOfHost / 2,
    except: fullHosts,
    lost: 'The process that sent the delivery ended before it stored the answer. Whether the delivery arrived is unknown.',
    run: async (job, { call, signal }) => {
      const target = await findTarget(call, job).catch(untried)
      return atHost(hostOf(target.webhook.url), () => deliver({ call, signal }, target, largeBodies))
    },
  }
}

/** The ids of webhooks whose host has no free slot. Their other deliveries stay in the queue. */
async function fullHosts(call: Call, active: readonly Job[]): Promise<readonly string[]> {
  if (active.length === 0) return []
  const all = await call.store.records.list('webhook')
  const byHost = Map.groupBy(all, ({ url }) => hostOf(url))
  return [...byHost.values()].flatMap((group) => {
    const ids = new Set(group.map(({ id }) => id))
    const busy = active.filter(({ subject }) => ids.has(subject)).length
    return busy >= slotsOfHost ? [...ids] : []
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

interface DeliveryTarget {
  readonly job: Job
  readonly webhook: Stored<'webhook'>
  readonly payload: DeliveryPayload
}

/** Errors: JobFailed if the webhook was deleted or disabled. */
async function findTarget({ store }: Call, job: Job): Promise<DeliveryTarget> {
  const webhook = await store.records.get('webhook', job.subject)
  const payload = payloadOf(job)
  if (!webhook) throw new JobFailed('The webhook was deleted before this delivery was sent.')
  if (!webhook.enabled && payload.event !== testEvent)
    throw new JobFailed('The webhook was disabled before this delivery was sent.')
  return { job, webhook, payload }
}

/** Makes one attempt. Errors: JobFailed with the result, unless the status was 2xx. */
async function deliver(
  context: Pick<JobContext, 'call' | 'signal'>,
  target: DeliveryTarget,
  largeBodies: LimitFunction,
): Promise<JobResult> {
  const create = async () => createRequest(context.call, target).catch(untried)
  const request = await create()
  if ((request.body?.length ?? 0) <= largeBody) return send(context, target, request)
  // Large requests are created again when they get a slot, so that waiting ones hold no memory.
  return largeBodies(async () => send(context, target, await create()))
}

type JobResult = DeliveryResult & { [member: string]: string | number | null }

/** Errors: JobFailed with the result, unless the status was 2xx. */
async function send(
  { call, signal }: Pick<JobContext, 'call' | 'signal'>,
  { webhook }: DeliveryTarget,
  request: DeliveryRequest,
): Promise<JobResult> {
  const started = performance.now()
  const sent = { url: webhook.url, method: 'POST', ...request, ...sendLimits, signal }
  const answer = await sendRequest(call, sent).catch((error: unknown) => {
    throw failed(error, Math.round(performance.now() - started))
  })
  const result = resultOf(answer, Math.round(performance.now() - started))
  if (answer.status >= 200 && answer.status <= 299) return result
  throw new JobFailed(`The target answered with ${answer.status}. Only a 2xx status counts as delivered.`, {
    result,
  })
}

/** Errors: JobFailed if the request cannot be created from the stored data. */
async function createRequest(
  call: Call,
  { job, webhook, payload: { event, entityId, locales } }: DeliveryTarget,
): Promise<DeliveryRequest> {
  const outgoing = await remember(call, `webhook:${webhook.id}`, () => outgoingOf(call, webhook))
  const { id, repositoryId } = job
  const text = await textOf(call, { repositoryId, id: entityId }, storedDataOf(job))
  const data = await withText(call, outgoing, text)
  const sentAt = call.environment.clock.now()
  return deliveryRequest({ id, event, locales, data, webhook: outgoing, sentAt }).catch(unsendable)
}

/**
 * Fails the job so that it is retried: nothing was sent yet, because the data could not be read.
 */
function untried(error: unknown): never {
  if (error instanceof JobFailed) throw error
  const message = 'The data to send could not be read. Search the log for the id of the job to see the cause.'
  throw new JobFailed(message, { isUntried: true, cause: error })
}

function unsendable(error: unknown): never {
  throw error instanceof UnsendableDelivery ? new JobFailed(error.message, { cause: error }) : error
}

function failed(error: unknown, ms: number): unknown {
  if (!(error instanceof OutboundFailure)) return error
  return new JobFailed(error.message, { result: { status: null, ms, answer: null }, cause: error })
}

function resultOf({ status, body }: OutboundAnswer, ms: number) {
  return { status, ms, answer: new TextDecoder().decode(body.subarray(0, mostOfAnswer)) }
}

async function outgoingOf({ environment }: Call, webhook: Stored<'webhook'>): Promise<OutgoingWebhook> {
  const { sealedSecret, headers, ...given } = webhook
  return {
    ...given,
    headers: await Promise.all(
      headers.map(async ({ name, sealedValue }) => ({
        name,
        value: await openSecret(environment, sealedValue),
      })),
    ),
    secret: sealedSecret === null ? null : await openSecret(environment, sealedSecret),
  }
}

/** Parses the data and adds the text of the item's file if the webhook includes it. */
async function withText(
  { store }: Call,
  { includeText }: OutgoingWebhook,
  text: string,
): Promise<JsonObject> {
  const data: JsonObject = JSON.parse(text)
  const asset = data['asset']
  if (!includeText || typeof asset !== 'object' || asset === null || !('hash' in asset)) return data
  const { hash } = asset
  if (typeof hash !== 'string') return data
  return itemData(data, { includeText, text: await store.texts.get(hash) })
}

/** An event to be sent to a webhook. */
export interface OutgoingDelivery {
  /** The same whenever this delivery is sent, so that receivers can recognize repeats. */
  readonly id: string
  readonly event: string
  /** The locales that the event concerns; undefined: none, or it is not known. */
  readonly locales?: readonly string[] | undefined
  /** The item, folder or site that the event is about. */
  readonly data: JsonObject
  readonly webhook: OutgoingWebhook
  /** Unix ms. */
  readonly sentAt: number
}

interface DeliveryRequest {
  readonly headers: readonly Header[]
  readonly body: string | null
}

/**
 * The headers and the body of a delivery's POST (specification 6.3, 6.4; Standard Webhooks). The
 * content type is JSON even without a body, because 6.3.1 makes no exception. Id, timestamp and
 * event are sent even if nothing is signed; without a body, only the header names the event.
 * Errors: UnsendableDelivery.
 */
export async function deliveryRequest(delivery: OutgoingDelivery): Promise<DeliveryRequest> {
  const { id, event, locales = [], data, webhook, sentAt } = delivery
  const delivered = deliveredData(data, webhook)
  const headers: Header[] = [
    ['content-type', 'application/json'],
    ['user-agent', 'Quire-Webhooks'],
    ['webhook-id', id],
    ['webhook-timestamp', timestampOf(sentAt)],
    ['webhook-event', event],
    ...(locales.length > 0 ? [['webhook-locales', locales.join(', ')] as const] : []),
    ...customHeaders(webhook.headers, delivered),
  ]
  return signed(delivery, { headers, body: bodyOf(event, delivered, webhook) })
}

/** Adds a signature if the webhook has a secret. */
async function signed(
  { id, webhook, sentAt }: OutgoingDelivery,
  request: DeliveryRequest,
): Promise<DeliveryRequest> {
  if (webhook.secret === null) return request
  const message = { id, timestamp: timestampOf(sentAt), body: request.body ?? '' }
  const header: Header = ['webhook-signature', await signature(webhook.secret, message)]
  return { ...request, headers: [...request.headers, header] }
}

/** Unix seconds. */
function timestampOf(sentAt: number): string {
  return String(Math.floor(sentAt / 1000))
}

/**
 * The data of an item's event: no card preview, and the text of its file only if the webhook
 * includes it (specification 6.3.4).
 */
export function itemData(
  item: JsonObject,
  { includeText, text }: { includeText: boolean; text: string | null },
): JsonObject {
  const data = deliveredData(item, { includeText: false })
  return includeText ? { ...data, text } : data
}

/**
 * The data that the webhook currently gets. Queued data may contain a text that the webhook no
 * longer includes.
 */
export function deliveredData(
  data: JsonObject,
  { includeText }: Pick<OutgoingWebhook, 'includeText'>,
): JsonObject {
  const { cardPreview: _cardPreview, ...rest } = data
  if (includeText) return rest
  const { text: _text, ...others } = rest
  return others
}
