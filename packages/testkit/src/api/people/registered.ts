import type { Api, Webhook } from '@quire/contract'
import type { Bench } from '../host.ts'

/** What registering a webhook takes. */
export type NewWebhook = Parameters<Api['webhooks']['create']>[0]

/** A secret that deliveries can be signed with. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A webhook of the magazine for new items, unless told otherwise. */
export function registerIn({ api }: Bench, given: Partial<NewWebhook>): Promise<Webhook> {
  return api.webhooks.create({
    repositoryId: 'magazine',
    name: 'Hook',
    url: 'https://hooks.example.com/taken',
    events: ['ITEM_CREATED'],
    ...given,
  })
}
