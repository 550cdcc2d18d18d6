import { z } from 'zod'

/** A part of bytes: its first and its last one, counted from 0. Without `end` it goes to the last. */
export interface ByteSpan {
  readonly start: number
  readonly end?: number
}

/**
 * Bytes on their way in: a `File` or a `Blob` (in Node `openAsBlob` of node:fs gives one without reading it), or anything else
 * that streams. `name` is the file's name, `type` what its sender takes it for; what it is, is looked for in its bytes.
 */
export interface BytesIn {
  readonly name?: string | undefined
  readonly type?: string | undefined
  /** Bytes, where that is known before. */
  readonly size?: number | undefined
  stream(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>
}

/** Bytes as answered, in every place the same. They are read once: by `stream` or by `bytes`. */
export interface Binary {
  readonly mimeType: string
  /** The name to save it under. */
  readonly fileName: string
  /** Bytes that come; null where that is known only at the end. */
  readonly size: number | null
  /** The strong entity tag, without quotes: another when the bytes are others. */
  readonly etag: string | null
  /** Which part came, of how many bytes; null: all of it. */
  readonly range: { readonly start: number; readonly end: number; readonly total: number } | null
  /** The bytes as they come. A stream that breaks off fails: it never ends early. */
  stream(): ReadableStream<Uint8Array>
  /** All bytes at once. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** Bytes as an operation answers them, to be read from any place on. */
export interface BinarySource {
  readonly mimeType: string
  readonly fileName: string
  /** Bytes; null where that is known only at the end. Then there are no parts of it. */
  readonly size: number | null
  /** The strong entity tag, without quotes; null: none. */
  readonly etag: string | null
  readonly disposition: 'inline' | 'attachment'
  /** Whether the address will never answer other bytes. */
  readonly isImmutable: boolean
  /** Whether another `Accept` may get other bytes. */
  readonly isNegotiated: boolean
  /** Whether everybody may have them, also from pages of other sites. */
  readonly isPublic?: boolean
  /** What a page of them may load and do (Content-Security-Policy). Default: nothing. */
  readonly policy?: string
  /** Where it is found: who asks by HTTP is sent there for good. Default: here. */
  readonly location?: string
  /**
   * An address past the service from which anybody may read them for some time, where they are kept in a place that has some; null: they
   * are read here. Absent: always here. Errors: QuireError.
   */
  readonly locate?: (about: LocatedBytes) => Promise<string | null>
  /** The bytes, or a part of them. Errors: QuireError. */
  open(range?: BinaryRange): Promise<AsyncIterable<Uint8Array>>
}

/** What is said of bytes at an address past the service, as it would be said here. */
export interface LocatedBytes {
  /** Seconds for which the address can be used. */
  readonly expiresIn: number
  readonly contentType: string
  /** In ASCII alone, as it is a part of the address. */
  readonly contentDisposition: string
}

/** The first and the last byte of a part. */
export interface BinaryRange {
  readonly start: number
  readonly end: number
}

/** Bytes sent to an operation. */
export const FileIn = z
  .custom<BytesIn>(isBytesIn, 'must be a File, a Blob, or an object with `stream()`')
  .describe('The bytes: a File, a Blob, or anything with `stream()`')

/** Bytes that an operation answers. */
export const BytesOut = z.custom<Binary>(isBinary).describe('The bytes')

function isBytesIn(value: unknown): boolean {
  return hasMethod(value, 'stream')
}

function isBinary(value: unknown): boolean {
  return hasMethod(value, 'stream') && hasMethod(value, 'bytes')
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
