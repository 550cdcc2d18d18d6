import { constants, crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive, as its directory describes it. */
export interface ZipEntry {
  readonly name: string
  /** Deflated. */
  readonly bytes: Uint8Array
  /** The declared size after inflating. */
  readonly size: number
  readonly crc: number
}

/** An entry that describes its text correctly. */
export function entryOf(name: string, text: string): ZipEntry {
  const plain = Buffer.from(text)
  return { name, bytes: deflateRawSync(plain), size: plain.length, crc: crc32(plain) }
}

/** An archive of these entries, even if their descriptions are wrong. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let length = 0
  for (const entry of entries) {
    const head = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      fieldsOf(entry),
      Buffer.from(entry.name),
    ])
    directory.push(directoryEntry(entry, length))
    parts.push(head, Buffer.from(entry.bytes))
    length += head.length + entry.bytes.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(length, 16)
  return Uint8Array.from(Buffer.concat([...parts, central, end]))
}

/**
 * Deflated bytes of `count` MiB of one letter, about 1 KiB for each. The stream is not terminated,
 * so more can follow.
 */
export function deflatedMebibytes(letter: string, count: number): Uint8Array {
  const one = deflateRawSync(Buffer.alloc(1024 * 1024, letter), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat(Array.from({ length: count }, () => one))
}

/** Terminates a deflated stream. */
export const deflateEnd = deflateRawSync(Buffer.alloc(0))

/** Deflated bytes without the end of the stream, so that more can follow. */
export function deflateOpen(text: string): Uint8Array {
  return deflateRawSync(Buffer.from(text), { finishFlush: constants.Z_FULL_FLUSH })
}

/**
 * The fields that both headers of an entry share: version, flags, method, time, date, CRC, sizes,
 * length of the name.
 */
function fieldsOf({ bytes, crc, size, name }: ZipEntry): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(bytes.length, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

function directoryEntry(entry: ZipEntry, offset: number): Buffer {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  const made = Buffer.from([20, 0])
  return Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    made,
    fieldsOf(entry),
    rest,
    Buffer.from(entry.name),
  ])
}
