import { openReceiver, type Received } from './receiver.ts'

/** A shop and a chat behind one receiver. They record what they receive. */
export interface Inbox {
  readonly port: number
  /** `http://127.0.0.1:4000` */
  readonly url: string
  /** Returns the deliveries since the last call, sorted by path. */
  empty(): Received[]
  /** Makes the chat fail, or work again. */
  breakChat(isBroken: boolean): void
  close(): Promise<void>
}

/** Opens both. They accept deliveries that are signed with this secret. */
export async function openInbox(secret: string): Promise<Inbox> {
  const accepted: Received[] = []
  let isChatBroken = false
  const receiver = await openReceiver({
    secret,
    take(delivery) {
      if (delivery.path === '/chat' && isChatBroken) throw new Error('The chat is down.')
      accepted.push(delivery)
    },
  })
  const { port } = receiver
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    empty: () => accepted.splice(0).toSorted((a, b) => a.path.localeCompare(b.path)),
    breakChat: (isBroken) => void (isChatBroken = isBroken),
    close: () => receiver.close(),
  }
}
