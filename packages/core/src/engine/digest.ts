/** SHA-256 of a text, in hexadecimal. */
export function digest(text: string): Promise<string> {
  return digestOf(new TextEncoder().encode(text))
}

/** SHA-256 of bytes, in hexadecimal: the name of a blob. */
export async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return hexadecimal(hash)
}

/** The HMAC-SHA-256 of a text under a secret, in hexadecimal. */
export async function macOf(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const hash = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hash, false, ['sign'])
  return hexadecimal(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

function hexadecimal(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A 53-bit checksum of a text in hexadecimal, computed synchronously: a read cannot afford the
 * turns of the event loop that a digest takes. Two rounds of multiplication (cyrb53). Collisions
 * can be constructed on purpose.
 */
export function checksum(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  const mixedHigh =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const mixedLow =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (2 ** 32 * (0x1fffff & mixedLow) + (mixedHigh >>> 0)).toString(16).padStart(14, '0')
}

/**
 * Whether two texts are equal. Every character of the second is compared, so the time reveals
 * nothing about the first except its length.
 */
export function isEqualInTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
