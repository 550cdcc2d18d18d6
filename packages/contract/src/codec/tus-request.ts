import { invalidMember, isMembers } from './invalid.ts'

/** The version of the protocol, which is in every request and response. */
export const tusVersion = '1.0.0'

/** The media type of appended bytes. */
export const tusBytes = 'application/offset+octet-stream'

type Members = Readonly<Record<string, unknown>>

/**
 * The members of an upload's input as TUS 1.0 headers. Errors: QuireError `invalid` for a member
 * that has no header.
 */
export function encodeTusHeaders(members: Members): Record<string, string> {
  const headers: Record<string, string> = { 'tus-resumable': tusVersion }
  for (const [name, value] of Object.entries(members)) {
    const encode = Object.hasOwn(headersOut, name) ? headersOut[name] : undefined
    if (!encode) throw invalidMember(name, 'is not a known member')
    const [header, text] = encode(value)
    headers[header] = text
  }
  return headers
}

const headersOut: Readonly<Record<string, (value: unknown) => [string, string]>> = {
  length: (value) => ['upload-length', String(value)],
  offset: (value) => ['upload-offset', String(value)],
  metadata: (value) => ['upload-metadata', encodeMetadata(isMembers(value) ? value : {})],
  checksum: (value) => ['upload-checksum', encodeChecksum(value)],
}

function encodeChecksum(value: unknown): string {
  return isMembers(value) ? `${String(value['algorithm'])} ${String(value['digest'])}` : ''
}

/** Comma-separated pairs of a key and its value as base64 (TUS 1.0, Upload-Metadata). */
export function encodeMetadata(metadata: Members): string {
  return Object.entries(metadata)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${requireKey(key)} ${base64Of(String(value))}`.trimEnd())
    .join(',')
}

function requireKey(key: string): string {
  if (/^[!-+\--~]+$/.test(key)) return key
  throw invalidMember(
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
export function decodeMetadata(header: string): Record<string, string> {
  const metadata: Record<string, string> = {}
  for (const pair of header
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const [key = '', value = '', ...more] = pair.split(' ')
    if (Object.hasOwn(metadata, key) || key === '__proto__')
      throw invalidMember(`metadata.${key}`, 'is given twice')
    if (more.length > 0) throw invalidMember(`metadata.${key}`, 'is malformed: a key, a space and base64')
    metadata[requireKey(key)] = textOf(key, value)
  }
  return metadata
}

function textOf(key: string, base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidMember(`metadata.${key}`, 'is not UTF-8 text as base64')
  }
}
