import type { Bytes } from './blobs.ts'

/** The MIME types that text is extracted from. No other file is passed to `extract`. */
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

/** A MIME type that text is extracted from. */
export type ExtractedType = (typeof extractedTypes)[number]

/** Whether text is extracted from files of this MIME type. */
export function isExtracted(mimeType: string): mimeType is ExtractedType {
  return extractedTypes.some((type) => type === mimeType)
}

/** What is known about a file before it is read. */
export interface FileKind {
  readonly mimeType: ExtractedType
  /** Size in bytes. */
  readonly size: number
}

/**
 * Extracts the text of files, for search. It limits its own use of source bytes, time, memory and
 * concurrency (TRUST S14). It never fetches anything and never executes what it reads.
 */
export interface Extraction {
  /**
   * The text of a file in the form that `plainText` returns; null when it has no recognizable text.
   * From a damaged or overlong file it returns as much as could be read.
   * `source` is called at most once, when the file's turn comes, and does not have to be read to
   * its end.
   * Concurrent calls: a limited number runs at a time; the others wait and hold no bytes meanwhile.
   * Cost: that of a parser, which runs outside the caller's thread for kinds that need one. Errors:
   * ExtractionRefused; those of the source.
   */
  extract(source: () => Promise<Bytes>, kind: FileKind): Promise<string | null>
}

/**
 * Why no text was extracted. `unreadable`: damaged or encrypted; `large`, `slow`: over a limit;
 * `busy`: too many at once; `unsupported`: the parser of this MIME type is not installed.
 */
export class ExtractionRefused extends Error {
  override readonly name = 'ExtractionRefused'
  readonly kind: 'unreadable' | 'large' | 'slow' | 'busy' | 'unsupported'
  constructor(kind: ExtractionRefused['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Maximum size of the stored text of a file in bytes of UTF-8: 1 MiB, about 500 pages. At twice
 * this value a save may write twice as much to the index; at half, books are cut off in the middle.
 */
export const mostExtracted = 1024 * 1024
