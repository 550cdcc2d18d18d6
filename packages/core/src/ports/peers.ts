/** The other processes on a store. What one tells them may be lost, and nothing of it is kept. */
export interface Peers {
  /** Tells all others something, of at most `mostBytesNotified` bytes; more is not told. Never waits and never fails. */
  notify(topic: string, text: string): void
  /** Calls a listener, which never throws, with what others tell of a topic, in the order of each; until what it answers is called. */
  subscribe(topic: string, listener: (text: string) => void): () => void
}

/** Bytes of UTF-8 that are told at once: PostgreSQL notifies of no more than 8 000, with what comes around it. */
export const mostBytesNotified = 7_000
