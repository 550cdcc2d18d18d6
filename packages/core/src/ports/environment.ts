/** Unix milliseconds now. */
export interface Clock {
  now(): number
}

/** New ids. */
export interface Ids {
  /** `<prefix>_<ULID>`, growing in the order of calls. */
  next(prefix: string): string
  /** `bytes` random bytes, base64url: secrets and unguessable keys. */
  secret(bytes: number): string
}

/** Keyed work with the server's own keys, which never leave the port. */
export interface Secrets {
  /** HMAC-SHA-256 under the current key, base64url. */
  hmac(text: string): Promise<string>
  /** The same under every key, the current one first: what was hashed before a rotation is found by one of them. */
  hmacs(text: string): Promise<readonly string[]>
  /** Encrypts and authenticates under the current key, bound to `purpose`. */
  seal(text: string, purpose: string): Promise<string>
  /** The inverse of seal, under whichever key it was. Errors: throws when the text was not sealed here for this purpose. */
  open(sealed: string, purpose: string): Promise<string>
  /** Makes a new current key, kept durably before it resolves; the ones before go on opening. Answers the id of the new one. */
  rotate(): Promise<string>
}

/** Where the engine says what happened. Members never hold secrets or bodies. */
export interface Log {
  write(
    level: 'debug' | 'info' | 'warn' | 'error',
    event: string,
    members?: Readonly<Record<string, unknown>>,
  ): void
}

/** The other processes on a store. What one tells them may be lost, and nothing of it is kept. */
export interface Peers {
  /** Tells all others something, of at most `mostBytesNotified` bytes; more is not told. Never waits and never fails. */
  notify(topic: string, text: string): void
  /** Calls a listener, which never throws, with what others tell of a topic, in the order of each; until what it answers is called. */
  subscribe(topic: string, listener: (text: string) => void): () => void
}

/** Bytes of UTF-8 that are told at once: PostgreSQL notifies of no more than 8 000, with what comes around it. */
export const mostBytesNotified = 7_000

/** How the process does, at one moment. */
export interface VitalSigns {
  /** The version of what runs. */
  readonly version: string
  readonly uptimeSeconds: number
  /** Ms by which the event loop was late over the last second, on average. */
  readonly loopDelayMs: number
  /** Bytes of memory that the process has, and that its objects take. */
  readonly rssBytes: number
  readonly heapBytes: number
  /** The disk that binaries are kept on: bytes that are free, and that must stay free for uploads to be taken; null: it has none of its own. */
  readonly disk: { readonly freeBytes: number; readonly neededBytes: number } | null
  /** Settings of the store as it answers them, by name: none that tells a secret or a place. */
  readonly store: Readonly<Record<string, string>>
}

/** What only the process itself can tell of its health. */
export interface Vitals {
  /** Cost: a look at the disk and some statements on the store. Errors: any, where it cannot be told now. */
  read(): Promise<VitalSigns>
}
