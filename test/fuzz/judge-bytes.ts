import type { HttpAnswer } from '../server/connection.ts'
import { faultOfZip } from './judge-zip.ts'

// Types that a browser executes, or can be made to execute, when it displays them.
const active = /html|svg|xml|script|css|pdf/

/**
 * The fault in a successful answer with bytes, by its headers and length; undefined if there is
 * none.
 */
export function faultOfBytes(answer: HttpAnswer, method: string): string | undefined {
  const { status, headers } = answer
  const faultOfHead = faultOfSafety(headers)
  if (faultOfHead !== undefined) return faultOfHead
  if (method === 'HEAD') return faultOfLength(headers)
  if (headers['content-type'] === 'application/zip' && headers['etag'] === undefined)
    return faultOfZip(answer.body)
  if (status === 206) return faultOfRange(answer)
  if (status !== 200) return `bytes with status ${status}`
  return isMadeWhileSent(headers) || isHashTag(headers) ? undefined : 'bytes without the entity tag of a hash'
}

/** The length of an archive, and of a compressed answer, is not known in advance. */
function faultOfLength(headers: HttpAnswer['headers']): string | undefined {
  const isUnknown = headers['content-type'] === 'application/zip' || headers['content-encoding'] !== undefined
  return isUnknown || Number(headers['content-length']) >= 0 ? undefined : 'bytes without a length'
}

/** Rows and XLIFF are made while they are sent, so there is nothing to hash. */
function isMadeWhileSent(headers: HttpAnswer['headers']): boolean {
  return /^(?:text\/csv|application\/x-ndjson|application\/xliff\+xml)\b/.test(headers['content-type'] ?? '')
}

/**
 * Whether the entity tag is a SHA-256, with the content coding as a suffix if the bytes are
 * compressed.
 */
function isHashTag({ etag = '', 'content-encoding': coding }: HttpAnswer['headers']): boolean {
  return new RegExp(`^"[0-9a-f]{64}${coding === undefined ? '' : `-${coding}`}"$`).test(etag)
}

/** TRUST S10: browsers do not execute uploaded content. */
function faultOfSafety(headers: HttpAnswer['headers']): string | undefined {
  const { 'content-type': type = '', 'content-disposition': disposition = '' } = headers
  if (headers['x-content-type-options'] !== 'nosniff') return 'bytes whose type a browser may sniff'
  if (!/default-src 'none'.*sandbox/.test(headers['content-security-policy'] ?? '') && !isSitePage(headers))
    return 'bytes without a sandbox'
  if (!/^(inline|attachment)(; [ -~]+)?$/.test(disposition))
    return `bytes with the disposition ${disposition}`
  // Our own page with an embedded asset. It has the same sandbox and contains nothing that was
  // uploaded.
  const isOurs = [isEmbed, isSitePage, isSitemap].some((is) => is(headers))
  return !isOurs && active.test(type) && !disposition.startsWith('attachment')
    ? `${type} to be displayed`
    : undefined
}

function faultOfRange({ headers, body }: HttpAnswer): string | undefined {
  const { 'content-type': type = '', 'content-range': range } = headers
  const [, boundary] = /^multipart\/byteranges; boundary=(\S+)$/.exec(type) ?? []
  if (boundary === undefined) return faultOfPart(range, body.length)
  const [before, ...parts] = body.toString('latin1').split(`\r\n--${boundary}`)
  const end = parts.pop()
  if (before !== '' || end !== '--\r\n') return 'parts with a wrong beginning or end'
  return parts.map(faultOfBodyPart).find((found) => found !== undefined)
}

function faultOfBodyPart(part: string): string | undefined {
  const end = part.indexOf('\r\n\r\n')
  const [, range] = /\r\nContent-Range: (.+)/.exec(part.slice(0, end)) ?? []
  return faultOfPart(range, part.length - end - 4)
}

function faultOfPart(range: string | undefined, length: number): string | undefined {
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range ?? '') ?? []
  const isRight = Number(end) - Number(start) + 1 === length && Number(end) < Number(total)
  return isRight ? undefined : `a part of ${length} bytes with the Content-Range ${range}`
}

function isEmbed(headers: HttpAnswer['headers']): boolean {
  const policy = headers['content-security-policy'] ?? ''
  return policy.includes('frame-ancestors') && !/script-src|unsafe-eval|allow-scripts/.test(policy)
}

/** A page of a site. It may either run scripts or be of this origin, but not both. */
function isSitePage(headers: HttpAnswer['headers']): boolean {
  const policy = headers['content-security-policy'] ?? ''
  // Page diffs are our own pages. They run no scripts, and contain the pages in separate frames.
  if (policy.endsWith("frame-src 'self'; sandbox")) return true
  if (!/(^|; )sandbox allow-/.test(policy)) return false
  return policy.includes('allow-same-origin') ? /script-src 'none'/.test(policy) : true
}

/** The sitemap of a site, which the service generates. */
function isSitemap(headers: HttpAnswer['headers']): boolean {
  const { 'content-type': type, 'content-disposition': disposition = '' } = headers
  return type === 'application/xml' && /filename="?sitemap(-\d+)?\.xml"?$/.test(disposition)
}
