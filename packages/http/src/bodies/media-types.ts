import { QuireError } from '@quire/contract'
import type { Route } from '@quire/contract/codec'

/** The media types of bodies that are read as text. */
export const textTypes = {
  json: { name: 'application/json', exact: /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i },
  /** The media type of RFC 7396 for the JSON of a PATCH. */
  patch: {
    name: 'application/merge-patch+json',
    exact: /^application\/merge-patch\+json(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
  form: {
    name: 'application/x-www-form-urlencoded',
    exact: /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?$/i,
  },
} as const

/** The media type of forms with files. */
export const multipart = 'multipart/form-data'

/** Errors: `unsupported_media_type` for text of a type that a route does not accept. */
export function requireTextType(route: Route, sent: string): void {
  if (route.body === 'multipart') throw wrongType(route)
  const { exact } = route.body === 'form' ? textTypes.form : textTypes.json
  const isPatch = route.body === 'json' && route.method === 'PATCH' && textTypes.patch.exact.test(sent)
  if (!isPatch && !exact.test(sent)) throw wrongType(route)
}

/** Whether a route accepts forms with files. */
export function takesForms({ body }: Pick<Route, 'body'>): boolean {
  return body === 'jsonOrMultipart' || body === 'multipart'
}

/** Whether a body is read as a stream, so that the operation decides how much of it to read. */
export function isStreamed(route: Pick<Route, 'body'> | undefined): boolean {
  return route?.body === 'file' || route?.body === 'tus' || route?.body === 'message'
}

/** `unsupported_media_type` with the types that a route accepts. */
export function wrongType({ body }: Pick<Route, 'body'>): QuireError {
  if (body === 'multipart')
    return new QuireError('unsupported_media_type', `Send Content-Type: ${multipart}.`)
  const { name } = body === 'form' ? textTypes.form : textTypes.json
  const others = body === 'jsonOrMultipart' ? ` or ${multipart}` : ''
  return new QuireError('unsupported_media_type', `Send Content-Type: ${name}${others}.`)
}
