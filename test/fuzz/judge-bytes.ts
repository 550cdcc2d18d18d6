import type { HttpAnswer } from '../server/connection.ts'
import { faultOfZip } from './judge-zip.ts'

// What a browser would run, or could be made to, if it showed it.
const active = /html|svg|xml|script|css|pdf/

/** What is wrong with bytes that were answered with success, by their headers and their length; undefined when nothing is. */
export function faultOfBytes(answer: HttpAnswer, method: string): string | undefined {
  const { status, headers } = answer
  const faultOfHead = faultOfSafety(headers)
  if (faultOfHead !== undefined) return faultOfHead
  // An archive is as long as it comes to be.
  const isArchive = headers['content-type'] === 'application/zip'
  const coding = headers['content-encoding']
  // What is compressed on its way is as long as that makes it.
  if (method === 'HEAD' && (isArchive || coding !== undefined)) return undefined
  if (method === 'HEAD') return Number(headers['content-length']) >= 0 ? undefined : 'bytes of no length'
  if (headers['content-type'] === 'application/zip' && headers['etag'] === undefined)
    return faultOfZip(answer.body)
  if (status === 206) return faultOfRange(answer)
  if (status !== 200) return `bytes with status ${status}`
  return isHashTag(headers) ? undefined : 'bytes without the entity tag of a hash'
}

/** Whether the entity tag is a SHA-256, with the coding at its end where the bytes are compressed. */
function isHashTag({ etag = '', 'content-encoding': coding }: HttpAnswer['headers']): boolean {
  return new RegExp(`^"[0-9a-f]{64}${coding === undefined ? '' : `-${coding}`}"$`).test(etag)
}

/** TRUST S10: no browser runs what somebody uploaded. */
function faultOfSafety(headers: HttpAnswer['headers']): string | undefined {
  const { 'content-type': type = '', 'content-disposition': disposition = '' } = headers
  if (headers['x-content-type-options'] !== 'nosniff') return 'bytes whose type a browser may guess'
  if (!/default-src 'none'.*sandbox/.test(headers['content-security-policy'] ?? '') && !isSitePage(headers))
    return 'bytes without a sandbox'
  if (!/^(inline|attachment)(; [ -~]+)?$/.test(disposition))
    return `bytes with the disposition ${disposition}`
  // A page of ours with an asset in it: in the same sandbox, and made of nothing that somebody uploaded.
  const isOurs = [isEmbed, isSitePage, isSitemap].some((is) => is(headers))
  return !isOurs && active.test(type) && !disposition.startsWith('attachment')
    ? `${type} to be shown`
    : undefined
}

function faultOfRange({ headers, body }: HttpAnswer): string | undefined {
  const { 'content-type': type = '', 'content-range': range } = headers
  const [, boundary] = /^multipart\/byteranges; boundary=(\S+)$/.exec(type) ?? []
  if (boundary === undefined) return faultOfPart(range, body.length)
  const [before, ...parts] = body.toString('latin1').split(`\r\n--${boundary}`)
  const end = parts.pop()
  if (before !== '' || end !== '--\r\n') return 'parts that do not begin or end as they must'
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
  return isRight ? undefined : `a part of ${length} bytes that is said to be ${range}`
}

function isEmbed(headers: HttpAnswer['headers']): boolean {
  const policy = headers['content-security-policy'] ?? ''
  return policy.includes('frame-ancestors') && !/script-src|unsafe-eval|allow-scripts/.test(policy)
}

/** A page of a site: it may run scripts, or be of this origin, but never both. */
function isSitePage(headers: HttpAnswer['headers']): boolean {
  const policy = headers['content-security-policy'] ?? ''
  // A comparison of pages is a page of ours: nothing of it runs, and pages stand in frames of their own.
  if (policy.endsWith("frame-src 'self'; sandbox")) return true
  if (!/(^|; )sandbox allow-/.test(policy)) return false
  return policy.includes('allow-same-origin') ? /script-src 'none'/.test(policy) : true
}

/** The sitemap of a site, which the service wrote itself. */
function isSitemap(headers: HttpAnswer['headers']): boolean {
  const { 'content-type': type, 'content-disposition': disposition = '' } = headers
  return type === 'application/xml' && /filename="?sitemap(-\d+)?\.xml"?$/.test(disposition)
}
