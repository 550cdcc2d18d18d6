import { randomUUID } from 'node:crypto'
import { type Peers, mostBytesNotified } from '@quire/core/ports'

/** The processes on one schema, reached over the connection that currently listens. */
export interface ListenedPeers extends Peers {
  /** Handles a message received from any process, including this one. */
  take(payload: string | undefined): void
  /** Sets the function that sends; null while sending is not possible. */
  sendBy(send: ((payload: string) => Promise<unknown>) | null): void
}

/** The notification channel for messages between the processes of a schema. */
export function peersChannelOf(schema: string): string {
  return `quire_peers_${schema}`
}

interface Message {
  readonly from: string
  readonly topic: string
  readonly text: string
}

/** Null for anything else, because every client of the database can send notifications. */
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

/** Starts without a connection to send over. */
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
      // The listener on the same connection notices when it is lost.
      sending?.(JSON.stringify({ from: self, topic, text } satisfies Message)).catch(() => undefined)
    },
    take(payload = '') {
      const message = parseMessage(payload)
      if (!message || message.from === self) return
      for (const listener of listeners.get(message.topic) ?? []) listener(message.text)
    },
    subscribe(topic, listener) {
      const subscribed = listeners.get(topic) ?? new Set()
      listeners.set(topic, subscribed.add(listener))
      return () => void subscribed.delete(listener)
    },
  }
}
