import { create as contentDisposition } from 'content-disposition'
import type { BinarySource } from '../binary.ts'
import type { BinaryReply, BinaryRequest } from './encode-binary.ts'

/**
 * Seconds for which a URL in the object storage is valid. A download must start within this time,
 * but need not end. At half, a slow client that requests range after range has to start again; at
 * twice, a caller that lost access to a file can read it that much longer.
 */
const addressSeconds = 300

/**
 * Seconds for which a client may cache the redirect to bytes that never change. The URL is valid
 * for a minute longer.
 */
const wayStored = 240

/**
 * The same reply, or a 302 to the bytes in the object storage (RFC 9110 §15.4.3). A client that
 * follows it sends its Range again, and by the Fetch standard does not send its Authorization. Only
 * for GET: a reply without a body is returned unchanged. Errors: those of `source.locate`.
 */
export async function leadElsewhere(
  source: BinarySource,
  request: BinaryRequest,
  reply: BinaryReply,
): Promise<BinaryReply> {
  if (!source.locate || !mayLead(source, request, reply)) return reply
  const { mimeType: contentType, isImmutable } = source
  const about = { contentType, contentDisposition: asciiDisposition(source), expiresIn: addressSeconds }
  const location = await source.locate(about)
  if (location === null) return reply
  const headers = {
    'x-request-id': request.requestId,
    location,
    'cache-control': isImmutable ? `private, max-age=${wayStored}` : 'private, no-store',
    'cross-origin-resource-policy': reply.headers['cross-origin-resource-policy'] ?? 'same-origin',
  }
  return { status: 302, headers, open: undefined }
}

/**
 * Whether the reply can be a redirect. An object storage sends at most one range, and its entity
 * tags differ from ours: a client that continues a download with our tag in If-Range would get all
 * bytes again.
 */
function mayLead({ etag }: BinarySource, { header }: BinaryRequest, { status, headers, open }: BinaryReply) {
  const isSeveral = status === 206 && headers['content-range'] === undefined
  const goesOn = etag !== null && header('range') && header('if-range') === `"${etag}"`
  return open !== undefined && !isSeveral && !goesOn
}

/** The Content-Disposition of the bytes in ASCII: other characters are only in `filename*`. */
function asciiDisposition({ fileName, disposition }: BinarySource): string {
  const fallback = fileName.replaceAll(/[^ -~]/g, '?')
  return contentDisposition(fileName, { type: disposition, fallback })
}
