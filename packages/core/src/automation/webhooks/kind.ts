/** The kind of job that delivers one event to one webhook; its subject is the webhook. */
export const deliveryKind = 'webhook.deliver'
