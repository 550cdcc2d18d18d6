// The largest number of arguments that every JavaScript engine accepts in one call.
const step = 32_768

/** Bytes as base64 (RFC 4648, with padding). */
export function base64Of(bytes: Uint8Array): string {
  if (bytes.length <= step) return btoa(String.fromCharCode(...bytes))
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += step)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + step)))
  return btoa(pieces.join(''))
}

/** Bytes as base64url, without padding (RFC 4648 §5). */
export function base64UrlOf(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of `base64UrlOf`. Errors: DOMException if the text is not base64url. */
export function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}
