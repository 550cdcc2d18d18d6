import { TokenError } from '@quire/contract'

interface ClientCredentials {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * Adds the credentials of an HTTP Basic header to the form of a token request (RFC 6749 §2.3.1).
 * Errors: TokenError 400 for a malformed header, and when header and form name different clients.
 */
export function withBasicCredentials(form: unknown, header: string | null | undefined): unknown {
  const basic = basicCredentials(header)
  if (!basic) return form
  const sent: Readonly<Record<string, unknown>> = { ...(form as object | undefined) }
  for (const [name, value] of Object.entries(basic)) {
    if (sent[name] !== undefined && sent[name] !== '' && sent[name] !== value) {
      const description = `${name} differs between the form and the Authorization header`
      throw new TokenError(400, 'invalid_request', { description })
    }
  }
  return { ...sent, ...basic }
}

function basicCredentials(header: string | null | undefined): ClientCredentials | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = textOf(encoded)
  const colon = text.indexOf(':')
  if (colon < 0) throw malformed()
  return { client_id: formDecoded(text.slice(0, colon)), client_secret: formDecoded(text.slice(colon + 1)) }
}

function textOf(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    throw malformed()
  }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Some clients do not form-encode the value.
    return text
  }
}

function malformed(): TokenError {
  const description = 'the Authorization header is not form-encoded Basic credentials'
  return new TokenError(400, 'invalid_request', { description })
}
