import type { ParsedKind } from '../kinds.ts'

/**
 * Messages to the reader process: the kind of a file with its time limit, a piece of its bytes, and
 * the end of the file.
 */
export type Order =
  | { readonly kind: ParsedKind; readonly milliseconds: number }
  | { readonly piece: Uint8Array }
  | { readonly end: true }

/** The answer of the process after the end of the file. */
export interface Report {
  /** The extracted text, with its whitespace unchanged. */
  readonly text: string
  /** Why there is no text; null when there is. */
  readonly fault: string | null
  /** Bytes of memory that the process uses. */
  readonly memory: number
}

/** Types an answer of the reader process: `serve` sends nothing else. */
export function reportIn(message: unknown): Report {
  return message as Report
}
