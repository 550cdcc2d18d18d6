import type { Api } from '@quire/contract'

/** Where webhooks of a repository lead. */
export interface Target {
  readonly configId: string
  readonly url: string
  readonly secret: string
}

/** The shop is told which article it is, and how long it takes to read: the essentials, and what `mapping` copies beside them. */
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

/** The chat is told in its own words. A text that is one placeholder becomes the value itself: `5` below is a number. */
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
