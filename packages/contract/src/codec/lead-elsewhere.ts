import { create as contentDisposition } from 'content-disposition'
import type { BinarySource } from '../binary.ts'
import type { BinaryReply, BinaryRequest } from './encode-binary.ts'

/**
 * Seconds for which an address past the service can be used. A download has to begin within it, not to end. At half, a slow client that asks for
 * part after part starts anew; at twice, who lost the right to a file reads it as much longer.
 */
const addressSeconds = 300

/** Seconds for which a client may keep the way to bytes that never change: the address is good for a minute more. */
const wayStored = 240

/**
 * The same reply, or where the bytes are read past the service: 302 (RFC 9110 §15.4.3). Who follows it sends its Range again, and a client that keeps
 * to the Fetch standard leaves its Authorization behind. To be used for GET alone: a reply without a body stays as it is.
 * Errors: those of `source.locate`.
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

/** A store gives one part at most, and knows another tag of the bytes: who goes on with what it has of ours would get all of them. */
function mayLead({ etag }: BinarySource, { header }: BinaryRequest, { status, headers, open }: BinaryReply) {
  const isSeveral = status === 206 && headers['content-range'] === undefined
  const goesOn = etag !== null && header('range') && header('if-range') === `"${etag}"`
  return open !== undefined && !isSeveral && !goesOn
}

/** As with the bytes themselves; a name beyond ASCII stands in `filename*` alone. */
function asciiDisposition({ fileName, disposition }: BinarySource): string {
  const fallback = fileName.replaceAll(/[^ -~]/g, '?')
  return contentDisposition(fileName, { type: disposition, fallback })
}
