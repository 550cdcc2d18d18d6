/** SHA-256 of a text, in hexadecimal. */
export function digest(text: string): Promise<string> {
  return digestOf(new TextEncoder().encode(text))
}

/** SHA-256 of bytes, in hexadecimal: the name of a blob. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
