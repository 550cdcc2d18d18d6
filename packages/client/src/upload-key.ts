/**
 * Bytes at the beginning and at the end of a file that are compared. At twice this value it takes
 * no longer, but distinguishes no more files. With far fewer bytes, formats whose first kilobytes
 * are always the same (raw pictures, videos of one camera) would look identical.
 */
const edgeBytes = 64 * 1024

/**
 * The key under which an upload is remembered: a SHA-256 of its metadata, the size and date of the
 * file, and the bytes at both ends. A Blob has neither name nor date, so only its bytes distinguish
 * it from others. Null if there is no crypto.subtle, as on a page that was loaded over http.
 */
export async function uploadKey(
  file: Blob,
  metadata: Readonly<Record<string, string>>,
): Promise<string | null> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle
  if (!subtle) return null
  const given = JSON.stringify([metadata, file.size, file instanceof File ? file.lastModified : null])
  const edges = [file.slice(0, edgeBytes), file.slice(Math.max(0, file.size - edgeBytes))]
  const digest = await subtle.digest('SHA-256', await new Blob([given, ...edges]).arrayBuffer())
  return `quire-upload:${hexOf(new Uint8Array(digest))}`
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
