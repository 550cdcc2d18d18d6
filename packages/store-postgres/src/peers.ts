import { randomUUID } from 'node:crypto'
import { type Peers, mostBytesNotified } from '@quire/core/ports'

/** The processes on one schema, over whatever connection listens now. */
export interface ListenedPeers extends Peers {
  /** Takes what came in from all of them, this one among them. */
  take(payload: string | undefined): void
  /** Sends by this from now on; null: nothing can be sent now. */
  sendBy(send: ((payload: string) => Promise<unknown>) | null): void
}

/** The channel of what the processes of a schema tell each other. */
export function peersChannelOf(schema: string): string {
  return `quire_peers_${schema}`
}

interface Message {
  readonly from: string
  readonly topic: string
  readonly text: string
}

/** Null for what is none: whoever may connect to the database can notify of anything. */
function parseMessage(payload: string): Message | null {
  try {
    const message: Partial<Message> | null = JSON.parse(payload)
    const { from, topic, text } = message ?? {}
    const isMessage = typeof from === 'string' && typeof topic === 'string' && typeof text === 'string'
    return isMessage ? { from, topic, text } : null
  } catch {
    return null
  }
}

/** Opens them, with nothing to send by. */
export function createPeers(): ListenedPeers {
  const self = randomUUID()
  const listeners = new Map<string, Set<(text: string) => void>>()
  let sending: ((payload: string) => Promise<unknown>) | null = null
  return {
    sendBy(send) {
      sending = send
    },
    notify(topic, text) {
      if (Buffer.byteLength(text) > mostBytesNotified) return
      // A connection that is lost is noticed by whoever listens to it.
      sending?.(JSON.stringify({ from: self, topic, text } satisfies Message)).catch(() => undefined)
    },
    take(payload = '') {
      const message = parseMessage(payload)
      if (!message || message.from === self) return
      for (const listener of listeners.get(message.topic) ?? []) listener(message.text)
    },
    subscribe(topic, listener) {
      const hearing = listeners.get(topic) ?? new Set()
      listeners.set(topic, hearing.add(listener))
      return () => void hearing.delete(listener)
    },
  }
}
