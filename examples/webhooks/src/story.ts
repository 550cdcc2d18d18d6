import type { Api, Delivery } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import type { Inbox } from './inbox.ts'
import { registerChat, registerShop, type Target } from './register.ts'

/** The participants. */
export interface Story {
  readonly engine: Quire
  readonly inbox: Pick<Inbox, 'url' | 'empty' | 'breakChat'>
  /** The secret for signing and verifying: `whsec_…`. */
  readonly secret: string
  readonly notify: (line: string) => void
}

const configId = 'magazine'

/**
 * Publishes an article that a shop and a chat are notified of, makes the chat fail, and redelivers
 * what it missed. Reports the received deliveries and the delivery log.
 */
export async function publishAndReport({ engine, inbox, secret, notify }: Story): Promise<void> {
  const quire = engine.as(systemIdentity('example'))
  await prepareMagazine(quire)
  const target: Target = { configId, url: inbox.url, secret }
  const shop = await registerShop(quire, target)
  const chat = await registerChat(quire, target)

  const id = await publishArticle(quire)
  await engine.settled()
  notify('received')
  for (const line of receivedLines(inbox)) notify(line)
  notify('delivery log of the shop')
  for (const delivery of await deliveriesOf(quire, shop)) notify(logLine(delivery))

  inbox.breakChat(true)
  await quire.items.update({ configId, id, fields: { readingMinutes: 6 } })
  await quire.items.publish({ configId, id })
  await engine.settled()
  notify('delivery log of the chat, while it is down')
  const log = await deliveriesOf(quire, chat)
  for (const delivery of log) notify(logLine(delivery))

  inbox.breakChat(false)
  inbox.empty()
  for (const { id: deliveryId } of log.filter(({ state }) => state === 'failed'))
    await quire.webhooks.redeliver({ id: chat, deliveryId })
  await engine.settled()
  notify('received after the redelivery')
  for (const line of receivedLines(inbox)) notify(line)
  notify('delivery log of the chat')
  for (const delivery of await deliveriesOf(quire, chat)) notify(logLine(delivery))
}

async function prepareMagazine(quire: Api): Promise<void> {
  await quire.repositories.create({ name: configId })
  await quire.types.create({
    name: 'article',
    fields: [
      { name: 'title', kind: 'text' },
      { name: 'readingMinutes', kind: 'integer' },
    ],
  })
}

async function publishArticle(quire: Api): Promise<string> {
  const fields = { title: 'Ink that remembers', readingMinutes: 5 }
  const article = { repositoryId: configId, type: 'article', name: fields.title, fields }
  const { id } = await quire.items.create(article)
  await quire.items.publish({ configId, id })
  return id
}

function receivedLines(inbox: Pick<Inbox, 'empty'>): string[] {
  return inbox.empty().map(({ path, headers, body }) => {
    const article = headers['x-article']
    const header = typeof article === 'string' ? ` x-article: ${article}` : ''
    return `  ${path}${header} ${JSON.stringify(body)}`
  })
}

/** The delivery log of a webhook, oldest first. */
async function deliveriesOf(quire: Api, id: string): Promise<Delivery[]> {
  const { items } = await quire.webhooks.deliveries({ id })
  return items.toReversed()
}

function logLine({ event, state, status, error, redeliveryOf }: Delivery): string {
  const repeated = redeliveryOf === null ? '' : ', again'
  return `  ${event}${repeated}: ${state}, ${status ?? 'no answer'}${error === null ? '' : ` (${error})`}`
}
