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
