import { z } from 'zod'
import type { Binary, BytesIn } from './api/bytes.ts'

/** Bytes inside the engine, which can be opened at any position. */
export interface BinarySource {
  readonly mimeType: string
  readonly fileName: string
  /** Number of bytes; null if it is known only at the end. Ranges are then not supported. */
  readonly size: number | null
  /** The strong entity tag, without quotes; null: none. */
  readonly etag: string | null
  readonly disposition: 'inline' | 'attachment'
  /** Whether this URL always returns the same bytes. */
  readonly isImmutable: boolean
  /** Whether the bytes depend on the header `Accept`. */
  readonly isNegotiated: boolean
  /** Whether anyone may read them, from pages of other origins as well. */
  readonly isPublic?: boolean
  /** Whether pages of other origins may show them, although not anyone may read them. */
  readonly isEmbeddable?: boolean
  /** The Content-Security-Policy, if the bytes are a page. Default: it may load and do nothing. */
  readonly policy?: string
  /** The URL that an HTTP request is permanently redirected to. Default: no redirect. */
  readonly location?: string
  /**
   * A temporary URL in the object storage from which anyone can read the bytes without the service;
   * null: they are read through the service. Absent: always through the service. Errors:
   * QuireError.
   */
  readonly locate?: (about: LocatedBytes) => Promise<string | null>
  /** The bytes, or a part of them. Errors: QuireError. */
  open(range?: BinaryRange): Promise<AsyncIterable<Uint8Array>>
}

/**
 * The headers that the object storage sends with the bytes, so that they match those of the
 * service.
 */
export interface LocatedBytes {
  /** Seconds for which the URL is valid. */
  readonly expiresIn: number
  readonly contentType: string
  /** ASCII only, because it becomes part of the URL. */
  readonly contentDisposition: string
}

/** The first and the last byte of a range, both inclusive. */
export interface BinaryRange {
  readonly start: number
  readonly end: number
}

/** The schema of bytes that are sent to an operation. */
export const FileIn = z
  .custom<BytesIn>(isBytesIn, 'must be a File, a Blob, or an object with `stream()`')
  .describe('The bytes: a File, a Blob, or anything with `stream()`')

/** The schema of bytes that an operation returns. */
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
