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

/** Keyed work with the server's own key, which never leaves the port. */
export interface Secrets {
  /** HMAC-SHA-256 under the server key, base64url. */
  hmac(text: string): Promise<string>
  /** Encrypts and authenticates, bound to `purpose`. */
  seal(text: string, purpose: string): Promise<string>
  /** The inverse of seal. Errors: throws when the text was not sealed under this key for this purpose. */
  open(sealed: string, purpose: string): Promise<string>
}

/** Where the engine says what happened. Members never hold secrets or bodies. */
export interface Log {
  write(
    level: 'debug' | 'info' | 'warn' | 'error',
    event: string,
    members?: Readonly<Record<string, unknown>>,
  ): void
}
