import { create as contentDisposition } from 'content-disposition'
import parseRanges from 'range-parser'
import type { BinaryRange, BinarySource } from '../binary.ts'
import { QuireError } from '../errors.ts'
import { encodeError, namesTag, publishedMaxAge, type Reply } from './encode-answer.ts'

/** The parts of a request that affect which bytes are sent. */
export interface BinaryRequest {
  readonly method: string
  /** The value of a header by its name in lower case. */
  readonly header: (name: string) => string | null | undefined
  readonly requestId: string
  /** The query string with its question mark, which a redirect preserves. Default: empty. */
  readonly search?: string
}

/** A response whose body is bytes. */
export interface BinaryReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: no body. */
  readonly open: (() => Promise<AsyncIterable<Uint8Array>>) | undefined
}

// A request for more parts than this gets all bytes, which RFC 9110 §14.2 permits: each part costs
// a header and a read.
const mostParts = 10

/**
 * Bytes as a response: 200, 206, 301, 304 or 416 (RFC 9110 §13, §14), with headers that keep a
 * browser from running them (TRUST S10).
 */
export function encodeBinary(source: BinarySource, request: BinaryRequest): BinaryReply | Reply {
  const headers = headersOf(source, request)
  if (source.location !== undefined)
    return {
      status: 301,
      headers: { ...headers, location: `${source.location}${request.search ?? ''}` },
      open: undefined,
    }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && source.etag !== null && namesTag(request.header('if-none-match'), source.etag))
    return { status: 304, headers, open: undefined }
  const ranges = wantedRanges(source, request)
  if (ranges === 'unsatisfiable') return unsatisfiable(source, request)
  const body =
    ranges.length === 0
      ? whole(source)
      : ranges.length === 1
        ? onePart(source, ranges)
        : parts(source, ranges)
  const reply = { ...body, headers: { ...headers, ...body.headers } }
  return request.method === 'HEAD' ? { ...reply, open: undefined } : reply
}

function headersOf(source: BinarySource, { requestId }: BinaryRequest): Record<string, string> {
  const { fileName, disposition, etag, size, isNegotiated, isPublic = false, isEmbeddable } = source
  return {
    'x-request-id': requestId,
    'cache-control': cacheControl(source),
    'content-disposition': contentDisposition(fileName, { type: disposition }),
    'content-security-policy': source.policy ?? "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': isPublic || isEmbeddable ? 'cross-origin' : 'same-origin',
    ...(etag !== null && { etag: `"${etag}"` }),
    ...(size !== null && { 'accept-ranges': 'bytes' }),
    // Whoever may read it gives nobody else a way to find it.
    ...(!isPublic && { 'x-robots-tag': 'noindex' }),
    ...(isNegotiated && { vary: isPublic ? 'Accept' : 'Accept, Authorization, Cookie' }),
  }
}

function cacheControl({ isImmutable, isPublic }: BinarySource): string {
  if (isPublic) return `public, max-age=${publishedMaxAge}`
  return isImmutable ? 'private, max-age=31536000, immutable' : 'private, no-cache'
}

/**
 * The ranges that a request asks for; empty: all bytes. `If-Range` must have a strong tag (RFC 9110
 * §13.1.5).
 */
function wantedRanges(
  { size, etag }: BinarySource,
  { method, header }: BinaryRequest,
): BinaryRange[] | 'unsatisfiable' {
  const wanted = header('range')
  const condition = header('if-range')
  if (method !== 'GET' || size === null || !wanted) return []
  if (condition && condition !== `"${etag}"`) return []
  const ranges = parseRanges(size, withinSize(wanted, size), { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length > mostParts) return []
  return ranges.map(({ start, end }) => ({ start, end }))
}

// A suffix that is longer than the bytes means all of them (RFC 9110 §14.1.2): ZIP readers ask for
// the last 64 KiB of any file. `range-parser` would treat it as unsatisfiable.
function withinSize(wanted: string, size: number): string {
  return wanted.replaceAll(/(?<=[=,]\s*)-(\d+)/g, (suffix, length) => (Number(length) > size ? '0-' : suffix))
}

function unsatisfiable({ size }: BinarySource, { requestId }: BinaryRequest): Reply {
  const reply = encodeError(new QuireError('range_not_satisfiable'), requestId)
  return { ...reply, headers: { ...reply.headers, 'content-range': `bytes */${size}` } }
}

function whole(source: BinarySource): BinaryReply {
  const { mimeType, size } = source
  const length = size !== null && { 'content-length': String(size) }
  return { status: 200, headers: { 'content-type': mimeType, ...length }, open: () => source.open() }
}

function onePart(source: BinarySource, [range]: readonly BinaryRange[]): BinaryReply {
  const { mimeType, size } = source
  const { start = 0, end = 0 } = range ?? {}
  return {
    status: 206,
    headers: {
      'content-type': mimeType,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    open: () => source.open({ start, end }),
  }
}

/** Several parts as multipart/byteranges (RFC 9110 §14.6). */
function parts(source: BinarySource, ranges: readonly BinaryRange[]): BinaryReply {
  const boundary = `quire-${source.etag?.slice(0, 24) ?? 'part'}`
  const heads = ranges.map(({ start, end }) =>
    new TextEncoder().encode(
      `\r\n--${boundary}\r\nContent-Type: ${source.mimeType}\r\nContent-Range: bytes ${start}-${end}/${source.size}\r\n\r\n`,
    ),
  )
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  const length = ranges.reduce(
    (sum, { start, end }, index) => sum + end - start + 1 + (heads[index]?.length ?? 0),
    tail.length,
  )
  return {
    status: 206,
    headers: {
      'content-type': `multipart/byteranges; boundary=${boundary}`,
      'content-length': String(length),
    },
    open: async () => joined(source, { ranges, heads, tail }),
  }
}

interface ByteParts {
  readonly ranges: readonly BinaryRange[]
  readonly heads: readonly Uint8Array[]
  readonly tail: Uint8Array
}

async function* joined(source: BinarySource, { ranges, heads, tail }: ByteParts): AsyncGenerator<Uint8Array> {
  for (const [index, range] of ranges.entries()) {
    const head = heads[index]
    if (head) yield head
    yield* await source.open(range)
  }
  yield tail
}
