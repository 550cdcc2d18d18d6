import { QuireError } from '@quire/contract'
import { anonymous, type Quire, type Who } from '@quire/core'

/**
 * Who sends an `Authorization` header. Errors: `unauthorized` without a valid bearer token (specification 5.2.1). A token in the
 * query string or a form is none (RFC 9700).
 */
export function authenticate(quire: Quire, header: string | undefined): Promise<Who> {
  const token = bearerToken(header)
  return token === undefined ? Promise.reject(new QuireError('unauthorized')) : quire.authenticate(token)
}

/** Nobody in particular: what a public route sees, whatever was sent. */
export const nobody: Who = anonymous

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.startsWith('Bearer ')) return header.slice('Bearer '.length).trim()
  return /^bearer +(\S+)$/i.exec(header)?.[1]
}
