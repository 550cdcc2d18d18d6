import type { ParsedKind } from '../kinds.ts'

/** What the process that reads is told: the kind of a file with the time there is, its bytes, and that these were all. */
export type Order =
  | { readonly kind: ParsedKind; readonly milliseconds: number }
  | { readonly piece: Uint8Array }
  | { readonly end: true }

/** What it answers once it has all bytes. */
export interface Report {
  /** As it was found: blanks and all. */
  readonly text: string
  /** Why there is none. */
  readonly fault: string | null
  /** Bytes that the process has in memory. */
  readonly memory: number
}

// The border to the process: `serve` sends nothing else.
/** An answer of the process that reads. */
export function reportIn(message: unknown): Report {
  return message as Report
}
