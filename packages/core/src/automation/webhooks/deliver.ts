import pLimit, { type LimitFunction } from 'p-limit'
import { remember, type Call } from '../../engine/call.ts'
import { JobFailed, type JobContext, type JobHandler } from '../../engine/job.ts'
import {
  OutboundFailure,
  type Job,
  type JsonObject,
  type OutboundAnswer,
  type Stored,
} from '../../ports/index.ts'
import { storedIn, payloadOf, testEvent, type DeliveryPayload, type DeliveryResult } from './deliveries.ts'
import { textOf, bodyOf } from './payload.ts'
import {
  UnsendableDelivery,
  type OutgoingWebhook,
  customHeaders,
  type Header,
  signature,
} from './outgoing.ts'
import { opened } from './record.ts'

/** TRUST 4.2, "Webhook". A slow target holds its own places alone: the others go on. */
const outward = { connectMs: 3000, totalMs: 10_000, maxAnswerBytes: 64 * 1024 }
const slotsOfAll = 32
const slotsOfHost = 4

/**
 * Characters of a body from which on only two are under way: two of 6 MiB are some 30 MiB with their bytes, and of an item with as much;
 * 32 would be half a gigabyte.
 */
const largeBody = 256 * 1024
const slotsOfLarge = 2

/** Characters of an answer that the log keeps. */
const mostOfAnswer = 4096

/** Posts deliveries: each once, at most four at a time to one host. */
export function createDelivering(): JobHandler {
  const hosts = new Map<string, LimitFunction>()
  const largeBodies = pLimit(slotsOfLarge)
  let inUse = 0
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    inUse += 1
    try {
      return await work()
    } finally {
      inUse -= 1
    }
  }
  const atHost = async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    const limit = hosts.get(host) ?? pLimit(slotsOfHost)
    hosts.set(host, limit)
    try {
      return await limit(() => counted(work))
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) hosts.delete(host)
    }
  }
  return {
    slots: slotsOfAll,
    inUse: () => inUse,
    each: slotsOfHost / 2,
    except: fullHosts,
    lost: 'The process that sent it ended before the answer was kept: whether it arrived is not known.',
    run: async (job, { call, signal }) => {
      const found = await foundFor(call, job).catch(untried)
      return atHost(hostOf(found.webhook.url), () => deliver({ call, signal }, found, largeBodies))
    },
  }
}

/** The webhooks of hosts that have all their deliveries under way: what else is queued for them waits in the queue. */
async function fullHosts(call: Call, underWay: readonly Job[]): Promise<readonly string[]> {
  if (underWay.length === 0) return []
  const all = await call.store.records.list('webhook')
  const byHost = Map.groupBy(all, ({ url }) => hostOf(url))
  return [...byHost.values()].flatMap((group) => {
    const ids = new Set(group.map(({ id }) => id))
    const busy = underWay.filter(({ subject }) => ids.has(subject)).length
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

/** Errors: JobFailed when it is not to be sent any more. */
async function foundFor({ store }: Call, job: Job): Promise<DeliveryTarget> {
  const webhook = await store.records.get('webhook', job.subject)
  const payload = payloadOf(job)
  if (!webhook) throw new JobFailed('The webhook was deleted before this was sent.')
  if (!webhook.enabled && payload.event !== testEvent)
    throw new JobFailed('The webhook was disabled before this was sent.')
  return { job, webhook, payload }
}

/** One attempt. Errors: JobFailed with what came of it, unless the answer was a 2xx. */
async function deliver(
  context: Pick<JobContext, 'call' | 'signal'>,
  found: DeliveryTarget,
  largeBodies: LimitFunction,
): Promise<Sent> {
  const make = async () => requestOf(context.call, found).catch(untried)
  const made = await make()
  if ((made.body?.length ?? 0) <= largeBody) return send(context, found, made)
  // It is made once more when it is its turn: those that wait hold no memory.
  return largeBodies(async () => send(context, found, await make()))
}

type Sent = DeliveryResult & { [member: string]: string | number | null }

/** Errors: JobFailed with what came of it, unless the answer was a 2xx. */
async function send(
  { call, signal }: Pick<JobContext, 'call' | 'signal'>,
  { webhook }: DeliveryTarget,
  made: Awaited<ReturnType<typeof requestOf>>,
): Promise<Sent> {
  const { outbound } = call.environment
  const started = performance.now()
  const request = { url: webhook.url, method: 'POST', ...made, ...outward, signal }
  const answer = await outbound.send(request).catch((error: unknown) => {
    throw failed(error, Math.round(performance.now() - started))
  })
  const result = resultOf(answer, Math.round(performance.now() - started))
  if (answer.status >= 200 && answer.status <= 299) return result
  throw new JobFailed(`It was answered with ${answer.status}: only 2xx means that it was taken.`, { result })
}

/** What is posted. Errors: JobFailed when it cannot be made of what is kept. */
async function requestOf(call: Call, { job, webhook, payload: { event, entityId } }: DeliveryTarget) {
  const outgoing = await remember(call, `webhook:${webhook.id}`, () => outgoingOf(call, webhook))
  const { id, repositoryId } = job
  const text = await textOf(call, { repositoryId, id: entityId }, storedIn(job))
  const data = await withText(call, outgoing, text)
  const sentAt = call.environment.clock.now()
  return deliveryRequest({ id, event, data, webhook: outgoing, sentAt }).catch(unsendable)
}

/** Nothing was sent yet: who could not read what to send tries it again. */
function untried(error: unknown): never {
  if (error instanceof JobFailed) throw error
  const message = 'What is to be sent could not be read: the log says why, under the id of the job.'
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
      headers.map(async ({ name, sealedValue }) => ({ name, value: await opened(environment, sealedValue) })),
    ),
    secret: sealedSecret === null ? null : await opened(environment, sealedSecret),
  }
}

/** The data, with the text of its file where the webhook wants that. */
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

/** An event on its way to a webhook. */
export interface OutgoingDelivery {
  /** The same at every look at this delivery: receivers tell by it what they had before. */
  readonly id: string
  readonly event: string
  /** The item, folder or site that the event is about. */
  readonly data: JsonObject
  readonly webhook: OutgoingWebhook
  /** Unix ms. */
  readonly sentAt: number
}

/** What is posted. */
interface DeliveryRequest {
  readonly headers: readonly Header[]
  readonly body: string | null
}

/**
 * The headers and the body of a delivery's POST (specification 6.3, 6.4; Standard Webhooks). Its type is said to be JSON even where there is
 * no body: 6.3.1 makes no exception. Id, timestamp and event are sent unsigned too: what has no body says its event there alone. Errors: UnsendableDelivery.
 */
export async function deliveryRequest(delivery: OutgoingDelivery): Promise<DeliveryRequest> {
  const { id, event, data, webhook, sentAt } = delivery
  const delivered = deliveredData(data, webhook)
  const headers: Header[] = [
    ['content-type', 'application/json'],
    ['user-agent', 'Quire-Webhooks'],
    ['webhook-id', id],
    ['webhook-timestamp', timestampOf(sentAt)],
    ['webhook-event', event],
    ...customHeaders(webhook.headers, delivered),
  ]
  return signed(delivery, { headers, body: bodyOf(event, delivered, webhook) })
}

/** A request with its signature where its webhook has a secret. */
async function signed(
  { id, webhook, sentAt }: OutgoingDelivery,
  request: DeliveryRequest,
): Promise<DeliveryRequest> {
  if (webhook.secret === null) return request
  const what = { id, timestamp: timestampOf(sentAt), body: request.body ?? '' }
  const header: Header = ['webhook-signature', await signature(webhook.secret, what)]
  return { ...request, headers: [...request.headers, header] }
}

/** Unix seconds. */
function timestampOf(sentAt: number): string {
  return String(Math.floor(sentAt / 1000))
}

/** The data of an item's event: without its card preview, and with the text of its file only where the webhook includes it (specification 6.3.4). */
export function itemData(
  item: JsonObject,
  { includeText, text }: { includeText: boolean; text: string | null },
): JsonObject {
  const data = deliveredData(item, { includeText: false })
  return includeText ? { ...data, text } : data
}

/** Data as a webhook is sent it now: what it was queued with may hold a text that it no longer includes. */
export function deliveredData(
  data: JsonObject,
  { includeText }: Pick<OutgoingWebhook, 'includeText'>,
): JsonObject {
  const { cardPreview: _cardPreview, ...rest } = data
  if (includeText) return rest
  const { text: _text, ...others } = rest
  return others
}
