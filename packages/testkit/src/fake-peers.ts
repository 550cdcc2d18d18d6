import type { Peers } from '@quire/core/ports'

type Listener = (text: string) => void

/** So many processes that hear of each other at once. */
export function fakePeers(count: number): readonly Peers[] {
  const listeners: { readonly self: number; readonly topic: string; readonly listener: Listener }[] = []
  return Array.from({ length: count }, (_, self) => ({
    tell(topic, text) {
      for (const heard of listeners) if (heard.self !== self && heard.topic === topic) heard.listener(text)
    },
    hear(topic, listener) {
      const heard = { self, topic, listener }
      listeners.push(heard)
      return () => void listeners.splice(listeners.indexOf(heard), 1)
    },
  }))
}
