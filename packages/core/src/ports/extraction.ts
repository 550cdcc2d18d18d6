import type { Bytes } from './blobs.ts'

/** The kinds of file that text is looked for in: nothing else is handed to `extract`. */
export const extractedTypes = [
  'application/json',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/xhtml+xml',
  'application/yaml',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
  'text/vtt',
] as const

/** A kind of file that text is looked for in. */
export type ExtractedType = (typeof extractedTypes)[number]

/** Whether text is looked for in files of a MIME type. */
export function isExtracted(mimeType: string): mimeType is ExtractedType {
  return extractedTypes.some((type) => type === mimeType)
}

/** What is known of a file before it is read. */
export interface FileKind {
  readonly mimeType: ExtractedType
  /** Bytes. */
  readonly size: number
}

/**
 * What finds the text in files, for search. Bounded by itself: bytes of the source, time, memory, and how many at once (TRUST S14). It never
 * fetches anything and never runs what it reads.
 */
export interface Extraction {
  /**
   * The text of a file as `plainText` gives it; null when it holds none that can be told. Of what is damaged or too long, what
   * could be read. `source` is called at most once, when it is the file's turn, and need not be read to its end.
   * Concurrent calls: so many at a time, others wait and hold no bytes meanwhile. Cost: that of a parser, outside of the caller's thread
   * where the kind needs one. Errors: ExtractionRefused; those of the source.
   */
  extract(source: () => Promise<Bytes>, kind: FileKind): Promise<string | null>
}

/** Why no text was read. `unreadable`: damaged or encrypted; `large`, `slow`: past a limit; `busy`: too many at once. */
export class ExtractionRefused extends Error {
  override readonly name = 'ExtractionRefused'
  readonly kind: 'unreadable' | 'large' | 'slow' | 'busy'
  constructor(kind: 'unreadable' | 'large' | 'slow' | 'busy', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Bytes of UTF-8 that are kept of the text of a file: 1 MiB, some 500 pages. At twice, a save may write twice as much to the index; at half, books end in their middle. */
export const mostExtracted = 1024 * 1024
