/** The current time in Unix milliseconds. */
export interface Clock {
  now(): number
}

/** New ids. */
export interface Ids {
  /** `<prefix>_<ULID>`; ids grow in the order of calls. */
  next(prefix: string): string
  /** `bytes` random bytes in base64url: for secrets and unguessable keys. */
  secret(bytes: number): string
}

/** Cryptography with the server's own keys, which never leave the adapter. */
export interface Secrets {
  /** HMAC-SHA-256 under the current key, in base64url. */
  hmac(text: string): Promise<string>
  /**
   * The HMAC under every key, the current one first: one of them matches what was hashed before a
   * rotation.
   */
  hmacs(text: string): Promise<readonly string[]>
  /**
   * Encrypts and authenticates under the current key, bound to `purpose`. `compact`: whether the
   * result may be compressed, which earlier releases cannot open; default: no.
   */
  seal(text: string, purpose: string, options?: { readonly compact?: boolean }): Promise<string>
  /**
   * The inverse of `seal`, with whichever key was used. Errors: throws when the text was not sealed
   * here for this purpose.
   */
  open(sealed: string, purpose: string): Promise<string>
  /**
   * Creates a new current key and stores it durably before it resolves; earlier keys can still
   * open. Returns the id of the new key.
   */
  rotate(): Promise<string>
}

/** The log of the engine. Members never contain secrets or bodies. */
export interface Log {
  write(
    level: 'debug' | 'info' | 'warn' | 'error',
    event: string,
    members?: Readonly<Record<string, unknown>>,
  ): void
}

/** The other processes on a store. Notifications may be lost, and are not stored. */
export interface Peers {
  /**
   * Notifies all other processes. The text has at most `mostBytesNotified` bytes; a longer one is
   * dropped. Never waits and never fails.
   */
  notify(topic: string, text: string): void
  /**
   * Calls a listener, which must not throw, with the notifications of a topic, in the order in
   * which each process sent them. Returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: (text: string) => void): () => void
}

/**
 * Maximum UTF-8 bytes of a notification: PostgreSQL allows 8 000, including the wrapper around the
 * text.
 */
export const mostBytesNotified = 7_000

/** The health of the process at one moment. */
export interface VitalSigns {
  /** The version of the running software. */
  readonly version: string
  readonly uptimeSeconds: number
  /** Average delay of the event loop over the last second, in ms. */
  readonly loopDelayMs: number
  /** Memory in bytes: of the process, and of its objects. */
  readonly rssBytes: number
  readonly heapBytes: number
  /**
   * The disk that stores blobs: free bytes, and bytes that must stay free for uploads to be
   * accepted. Null if the blobs are not on a disk of this machine.
   */
  readonly disk: { readonly freeBytes: number; readonly neededBytes: number } | null
  /** Settings of the store as it reports them, by name; none reveals a secret or a location. */
  readonly store: Readonly<Record<string, string>>
}

/** Health data that only the process itself can provide. */
export interface Vitals {
  /**
   * Cost: one look at the disk and some statements on the store. Errors: any error while the data
   * is unavailable.
   */
  read(): Promise<VitalSigns>
}
