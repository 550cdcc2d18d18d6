import { monotonicFactory } from 'ulid'
import type { Clock, Ids } from '../ports/index.ts'

/** Random ids that grow with the clock and, within one millisecond, with each call. */
export function randomIds(clock: Clock): Ids {
  const next = monotonicFactory()
  return {
    next: (prefix) => `${prefix}_${next(clock.now())}`,
    secret: (bytes) => base64url(crypto.getRandomValues(new Uint8Array(bytes))),
  }
}

/** Bytes as text without padding (RFC 4648 §5). */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
