import type { Api, Delivery } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import type { Inbox } from './inbox.ts'
import { registerChat, registerShop, type Target } from './register.ts'

/** Who takes part. */
export interface Story {
  readonly engine: Quire
  readonly inbox: Pick<Inbox, 'url' | 'empty' | 'breakChat'>
  /** What both sign and verify with: `whsec_…`. */
  readonly secret: string
  readonly notify: (line: string) => void
}

const configId = 'magazine'

/** Publishes an article that a shop and a chat are told of, has the chat fail, and repeats what it missed. Tells what came and the log of it. */
export async function publishAndReport({ engine, inbox, secret, notify }: Story): Promise<void> {
  const quire = engine.as(systemIdentity('example'))
  await prepareMagazine(quire)
  const target: Target = { configId, url: inbox.url, secret }
  const shop = await registerShop(quire, target)
  const chat = await registerChat(quire, target)

  const id = await publishArticle(quire)
  await engine.settled()
  notify('came')
  for (const line of cameLines(inbox)) notify(line)
  notify('log of the shop')
  for (const delivery of await deliveriesOf(quire, shop)) notify(branchOf(delivery))

  inbox.breakChat(true)
  await quire.items.update({ configId, id, fields: { readingMinutes: 6 } })
  await quire.items.publish({ configId, id })
  await engine.settled()
  notify('log of the chat, while it is broken')
  const log = await deliveriesOf(quire, chat)
  for (const delivery of log) notify(branchOf(delivery))

  inbox.breakChat(false)
  inbox.empty()
  for (const { id: deliveryId } of log.filter(({ state }) => state === 'failed'))
    await quire.webhooks.redeliver({ id: chat, deliveryId })
  await engine.settled()
  notify('came, after the redelivery')
  for (const line of cameLines(inbox)) notify(line)
  notify('log of the chat')
  for (const delivery of await deliveriesOf(quire, chat)) notify(branchOf(delivery))
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

function cameLines(inbox: Pick<Inbox, 'empty'>): string[] {
  return inbox.empty().map(({ path, headers, body }) => {
    const article = headers['x-article']
    const header = typeof article === 'string' ? ` x-article: ${article}` : ''
    return `  ${path}${header} ${JSON.stringify(body)}`
  })
}

/** The log of a webhook, the oldest first. */
async function deliveriesOf(quire: Api, id: string): Promise<Delivery[]> {
  const { items } = await quire.webhooks.deliveries({ id })
  return items.toReversed()
}

function branchOf({ event, state, status, error, redeliveryOf }: Delivery): string {
  const repeated = redeliveryOf === null ? '' : ', again'
  return `  ${event}${repeated}: ${state}, ${status ?? 'no answer'}${error === null ? '' : ` (${error})`}`
}
