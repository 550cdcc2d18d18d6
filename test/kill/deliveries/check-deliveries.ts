import { readRows, textOf, type Row, type RowKey } from '../read-rows.ts'
import type { Receiver } from './receiver.ts'

/** Totals of the deliveries of a run. */
export interface DeliveryFigures {
  /** Item events times matching webhooks. */
  readonly expected: number
  readonly succeeded: number
  readonly failed: number
  /** Deliveries that were in flight during a kill, so that it is unknown whether they arrived. */
  readonly unknown: number
  readonly received: number
  /** Violations, one per line. */
  readonly findings: readonly string[]
}

interface DeliveryRow {
  readonly id: string
  readonly webhook: string
  readonly item: string
  readonly state: string
  readonly status: number | null
}

const eventsOfItems = `SELECT entity_id AS id FROM journal WHERE event = 'ITEM_CREATED'`

const deliveries = `SELECT id, subject, state, payload, result FROM jobs WHERE kind = 'webhook.deliver'`

/**
 * Compares events, jobs and received deliveries (TRUST I5). Each pair of event and webhook has one
 * delivery in one state, and none arrived twice. `webhooks`: all are subscribed to new items from
 * the start.
 */
export function checkDeliveries(
  location: RowKey,
  webhooks: readonly string[],
  { received }: Pick<Receiver, 'received'>,
): Promise<DeliveryFigures> {
  return readRows(location, async (ask) => {
    const items = (await ask(eventsOfItems)).map(({ id }) => ({ id: textOf(id) }))
    const found = (await ask(deliveries)).map(deliveryOf)
    const ofState = (state: string) => found.filter((delivery) => delivery.state === state)
    const unknown = ofState('failed').filter(({ status }) => status === null)
    return {
      expected: items.length * webhooks.length,
      succeeded: ofState('succeeded').length,
      failed: ofState('failed').length,
      unknown: unknown.length,
      received: received.size,
      findings: [
        ...wronglyQueued(items, webhooks, found),
        ...[...received].filter(([, times]) => times > 1).map(([id, times]) => `${id} came ${times} times`),
        ...found
          .filter(({ state }) => !isEnded(state))
          .map(({ id, state }) => `${id} never left the state ${state}`),
        ...ofState('succeeded')
          .filter(({ id }) => !received.has(id))
          .map(({ id }) => `${id} succeeded unseen`),
        ...[...received.keys()]
          .filter((id) => !found.some((one) => one.id === id))
          .map((id) => `${id} was received, but has no job`),
      ],
    }
  })
}

function deliveryOf({ id, subject, state, payload, result }: Row): DeliveryRow {
  const { entityId: item }: { entityId: string } = JSON.parse(textOf(payload))
  const answer: { status?: number } | null = JSON.parse(textOf(result) || 'null')
  return {
    id: textOf(id),
    webhook: textOf(subject),
    item,
    state: textOf(state),
    status: answer?.status ?? null,
  }
}

function isEnded(state: string): boolean {
  return state === 'succeeded' || state === 'failed'
}

function wronglyQueued(
  items: readonly { id: string }[],
  webhooks: readonly string[],
  found: readonly DeliveryRow[],
): string[] {
  const counts = new Map<string, number>()
  for (const { item, webhook } of found) {
    const key = `${item} for ${webhook}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const wanted = new Set(items.flatMap(({ id }) => webhooks.map((webhook) => `${id} for ${webhook}`)))
  return [
    ...[...wanted]
      .filter((key) => counts.get(key) !== 1)
      .map((key) => `${counts.get(key) ?? 0} deliveries of ${key}`),
    ...[...counts.keys()].filter((key) => !wanted.has(key)).map((key) => `an unexpected delivery of ${key}`),
  ]
}
