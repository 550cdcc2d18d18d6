import type { Endpoint } from '../endpoint.ts'
import { QuireError } from '../errors.ts'
import type { Upload, UploadCapabilities } from '../files/uploads/shapes.ts'
import { invalidMember } from './invalid.ts'
import { decodeMetadata, encodeMetadata, tusBytes, tusVersion } from './tus-request.ts'

/** The value of a header by its name in lower case. */
type Header = (name: string) => string | null | undefined

/**
 * The input members in the headers of a TUS request; those in its path are not included. The
 * content type says whether there is a body. Errors: QuireError `precondition_failed` for another
 * version of the protocol, `invalid` that names a malformed header, `unsupported_media_type` for a
 * body that is not an upload.
 */
export function decodeTusRequest({ method }: Endpoint, header: Header): Record<string, unknown> {
  if (method !== 'OPTIONS' && header('tus-resumable') !== tusVersion)
    throw new QuireError('precondition_failed', `Send Tus-Resumable: ${tusVersion}.`)
  const isAppend = method === 'PATCH'
  if (!isAppend && method !== 'POST') return {}
  return {
    ...(isAppend ? { offset: wholeNumber('offset', header('upload-offset')) } : creation(header)),
    ...checksumOf(header('upload-checksum')),
  }
}

function creation(header: Header): Record<string, unknown> {
  return {
    length: wholeNumber('length', header('upload-length')),
    metadata: decodeMetadata(header('upload-metadata') ?? '', invalidMember),
  }
}

/**
 * Whether a TUS request contains bytes. Errors: QuireError `unsupported_media_type` if it must, but
 * has another content type.
 */
export function bringsBytes({ method }: Endpoint, header: Header): boolean {
  const type = header('content-type') ?? ''
  const isBytes = type.split(';')[0]?.trim().toLowerCase() === tusBytes
  if (isBytes) return method === 'PATCH' || method === 'POST'
  if (method === 'PATCH') throw new QuireError('unsupported_media_type', `Send Content-Type: ${tusBytes}.`)
  return false
}

function wholeNumber(member: string, text: string | null | undefined): number {
  const number = Number(text)
  if (text && /^\d{1,16}$/.test(text) && Number.isSafeInteger(number)) return number
  throw invalidMember(
    member,
    `must be a whole number in the header Upload-${member === 'length' ? 'Length' : 'Offset'}`,
  )
}

function checksumOf(text: string | null | undefined): Record<string, unknown> {
  if (text === null || text === undefined) return {}
  const [algorithm, digest, ...more] = text.split(' ')
  if (more.length > 0) throw invalidMember('checksum', 'must be an algorithm, a space, and base64')
  return { checksum: { algorithm, digest } }
}

/** The output of an upload operation as response headers. */
export function tusAnswerHeaders(endpoint: Endpoint, value: unknown): Record<string, string> {
  if (endpoint.method === 'OPTIONS') return capabilityHeaders(value as UploadCapabilities)
  const own = { 'tus-resumable': tusVersion }
  return value === undefined ? own : { ...own, ...uploadHeaders(endpoint, value as Upload) }
}

function capabilityHeaders(value: UploadCapabilities): Record<string, string> {
  return {
    'tus-resumable': tusVersion,
    'tus-version': value.version,
    'tus-extension': value.extensions.join(','),
    'tus-max-size': String(value.maxSize),
    'tus-checksum-algorithm': value.checksumAlgorithms.join(','),
  }
}

function uploadHeaders({ method, path }: Endpoint, upload: Upload): Record<string, string> {
  return {
    'upload-offset': String(upload.offset),
    'upload-length': String(upload.length),
    'upload-expires': new Date(upload.expiresDate).toUTCString(),
    'upload-metadata': upload.metadataText ?? encodeMetadata(upload.metadata, invalidMember),
    'quire-upload-id': upload.id,
    ...(upload.itemId !== null && { 'quire-item-id': upload.itemId }),
    ...(method === 'POST' && { location: `${path}/${upload.id}` }),
  }
}

/**
 * The headers of every response of the upload endpoints, errors included (TUS 1.0, Tus-Resumable
 * and Tus-Version).
 */
export function tusErrorHeaders(status: number): Record<string, string> {
  return { 'tus-resumable': tusVersion, ...(status === 412 && { 'tus-version': tusVersion }) }
}
