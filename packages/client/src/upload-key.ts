/**
 * Bytes of the beginning and of the end of a file that are compared. At twice the wait is no longer, and no more files are told
 * apart; much below, formats whose first kilobytes are always the same (raw pictures, films of one camera) look alike.
 */
const edgeBytes = 64 * 1024

/**
 * Under which an upload is remembered: a SHA-256 over what is to become of the file, its size, its date and its edges. A Blob has
 * neither name nor date, so that its bytes alone tell it from others. Null where there is no crypto.subtle: a page that came over http.
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
