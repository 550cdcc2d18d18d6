import type { Api, Webhook } from '@quire/contract'
import type { Bench } from '../host.ts'

/** The input of registering a webhook. */
export type NewWebhook = Parameters<Api['webhooks']['create']>[0]

/** A secret that deliveries can be signed with. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Registers a webhook of the magazine, by default for new items. */
export function registerIn({ api }: Bench, given: Partial<NewWebhook>): Promise<Webhook> {
  return api.webhooks.create({
    repositoryId: 'magazine',
    name: 'Hook',
    url: 'https://hooks.example.com/taken',
    events: ['ITEM_CREATED'],
    ...given,
  })
}
