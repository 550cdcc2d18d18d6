const endOfDirectory = { mark: 0x06054b50, length: 22 }
const entry = { mark: 0x02014b50, length: 46 }

/**
 * The fault in a ZIP archive: it is incomplete, or a name points outside of the folder that it is
 * unpacked to (TRUST S11). Undefined if there is none.
 */
export function faultOfZip(bytes: Buffer): string | undefined {
  const end = bytes.length - endOfDirectory.length
  if (end < 0 || bytes.readUInt32LE(end) !== endOfDirectory.mark) return 'an archive without its end'
  const count = bytes.readUInt16LE(end + 10)
  const names = new Set<string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + entry.length > end || bytes.readUInt32LE(at) !== entry.mark)
      return 'an archive with a broken directory'
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + entry.length, at + entry.length + nameLength)
    if (!isSafe(name)) return `an archive with the entry ${JSON.stringify(name)}`
    names.add(name.toLowerCase())
    at += entry.length + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return names.size === count ? undefined : 'an archive with two entries of one name'
}

function isSafe(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  const unsafe = /[\\:\u0000-\u001f\u202e]/
  return name !== '' && !unsafe.test(name) && !name.split('/').some((part) => ['', '.', '..'].includes(part))
}
