/**
 * The files of an uncompressed ZIP archive by name, in the order of its directory (APPNOTE 4.3.7,
 * 4.3.12, 4.3.16).
 */
export function zipEntries(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - 22
  if (view.getUint32(end, true) !== 0x06054b50) throw new TypeError('The archive has no end.')
  const entries = new Map<string, Uint8Array>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [method, size, local] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 24, true),
      view.getUint32(at + 42, true),
    ]
    const nameEnd = at + 46 + view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd))
    if (method !== 0 || entries.has(name)) throw new TypeError(`${name} is compressed, or there twice.`)
    const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    entries.set(name, bytes.slice(data, data + size))
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}
