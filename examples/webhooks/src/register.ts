import type { Api } from '@quire/contract'

/** The target of a repository's webhooks. */
export interface Target {
  readonly configId: string
  readonly url: string
  readonly secret: string
}

/**
 * Registers the shop. It receives the article's id and its reading time: the basic payload, plus
 * what `mapping` copies into it.
 */
export async function registerShop(quire: Api, { configId, url, secret }: Target): Promise<string> {
  const { id } = await quire.webhooks.create({
    repositoryId: configId,
    name: 'Shop',
    url: `${url}/shop`,
    events: ['ITEM_PUBLISHED', 'ITEM_ARCHIVED', 'ITEM_DELETED'],
    types: ['article'],
    payloadSize: 'basic',
    mapping: { minutes: 'fields.readingMinutes', packageName: 'packageName' },
    headers: [{ name: 'x-article', value: 'slug' }],
    secret,
  })
  return id
}

/**
 * Registers the chat, which needs its own format. A text that consists of one placeholder becomes
 * the value itself: `5` below is a number.
 */
export async function registerChat(quire: Api, { configId, url, secret }: Target): Promise<string> {
  const template = {
    text: '{{data.name}} is out: {{data.fields.readingMinutes}} minutes',
    minutes: '{{data.fields.readingMinutes}}',
    author: '{{data.fields.author}}',
  }
  const { id } = await quire.webhooks.create({
    repositoryId: configId,
    name: 'Chat',
    url: `${url}/chat`,
    events: ['ITEM_PUBLISHED'],
    payloadSize: 'custom',
    template: JSON.stringify(template),
    secret,
  })
  return id
}
