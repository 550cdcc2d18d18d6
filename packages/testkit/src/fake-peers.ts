import type { Peers } from '@quire/core/ports'

type Listener = (text: string) => void

/** `count` processes whose messages reach each other at once. */
export function fakePeers(count: number): readonly Peers[] {
  const listeners: { readonly self: number; readonly topic: string; readonly listener: Listener }[] = []
  return Array.from({ length: count }, (_, self) => ({
    notify(topic, text) {
      for (const received of listeners)
        if (received.self !== self && received.topic === topic) received.listener(text)
    },
    subscribe(topic, listener) {
      const received = { self, topic, listener }
      listeners.push(received)
      return () => void listeners.splice(listeners.indexOf(received), 1)
    },
  }))
}
