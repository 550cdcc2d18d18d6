import type { InvalidMember } from './invalid.ts'
import { requireFile } from './require-file.ts'
import type { SpecialRequest } from './special-form.ts'

/** The version of the protocol, which is in every request and response. */
export const tusVersion = '1.0.0'

/** The media type of appended bytes. */
export const tusBytes = 'application/offset+octet-stream'

type Members = Readonly<Record<string, unknown>>

/**
 * The request of an upload's input. Errors: QuireError `invalid` for a member that has no header.
 */
export function encodeTusRequest({ file, ...members }: Members, invalid: InvalidMember): SpecialRequest {
  const headers: Record<string, string> = { 'tus-resumable': tusVersion }
  for (const [name, value] of Object.entries(members)) {
    const encode = Object.hasOwn(headersOut, name) ? headersOut[name] : undefined
    if (!encode) throw invalid(name, 'is not a known member')
    const [header, text] = encode(value, invalid)
    headers[header] = text
  }
  return file === undefined
    ? { headers }
    : { headers: { ...headers, 'content-type': tusBytes }, file: requireFile(file, invalid) }
}

type EncodeHeader = (value: unknown, invalid: InvalidMember) => [name: string, text: string]

const headersOut: Readonly<Record<string, EncodeHeader>> = {
  length: (value) => ['upload-length', String(value)],
  offset: (value) => ['upload-offset', String(value)],
  metadata: (value, invalid) => ['upload-metadata', encodeMetadata(Object(value), invalid)],
  checksum: (value) => ['upload-checksum', encodeChecksum(value)],
}

function encodeChecksum(value: unknown): string {
  const { algorithm, digest } = Object(value)
  return `${String(algorithm)} ${String(digest)}`
}

/** Comma-separated pairs of a key and its value as base64 (TUS 1.0, Upload-Metadata). */
export function encodeMetadata(metadata: Members, invalid: InvalidMember): string {
  return Object.entries(metadata)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${requireKey(key, invalid)} ${base64Of(String(value))}`.trimEnd())
    .join(',')
}

function requireKey(key: string, invalid: InvalidMember): string {
  if (/^[!-+\--~]+$/.test(key)) return key
  throw invalid(
    `metadata.${key}`,
    'must be printable ASCII without spaces and commas, because it is sent in a header',
  )
}

function base64Of(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}

/**
 * The metadata in a header. Errors: QuireError `invalid` that names the key that is malformed or
 * given twice.
 */
export function decodeMetadata(header: string, invalid: InvalidMember): Record<string, string> {
  const metadata: Record<string, string> = {}
  for (const pair of header
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [key = '', value = '', ...more] = pair.split(' ')
    if (Object.hasOwn(metadata, key) || key === '__proto__')
      throw invalid(`metadata.${key}`, 'is given twice')
    if (more.length > 0) throw invalid(`metadata.${key}`, 'is malformed: a key, a space and base64')
    metadata[requireKey(key, invalid)] = textOf(value, () =>
      invalid(`metadata.${key}`, 'is not UTF-8 text as base64'),
    )
  }
  return metadata
}

function textOf(base64: string, malformed: () => Error): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed()
  }
}
