import { createHash } from 'node:crypto'
import type { Making } from './hinting.ts'
import { wordOf } from './schema-values.ts'
import { uploadMetadata } from './upload-metadata.ts'

type HeaderText = (making: Making) => string | undefined

const tag: HeaderText = ({ random, pool }) => pool.tags.pick(random)

const texts: Readonly<Record<string, HeaderText>> = {
  'Idempotency-Key': ({ random, pool }) =>
    random.chance(0.3) ? (pool.keys.pick(random) ?? 'k') : newKey(random, pool),
  'If-Match': tag,
  'If-None-Match': tag,
  'If-Range': tag,
  Range: ({ random }) => random.pick(ranges),
  Accept: ({ random }) => random.pick(accepted),
  'Last-Event-ID': ({ random, pool }) => pool.events.pick(random),
  'Tus-Resumable': () => '1.0.0',
  'Upload-Length': ({ sending }) => String(sending.file?.bytes.length ?? 0),
  'Upload-Offset': ({ sending }) => String(sending.upload?.offset ?? 0),
  'Upload-Metadata': uploadMetadata,
  'Upload-Checksum': ({ sending, random }) =>
    sending.part && checksum(sending.part, random.pick(['sha1', 'sha256'])),
}

const ranges = [
  'bytes=0-0',
  'bytes=0-99',
  'bytes=10-',
  'bytes=-20',
  'bytes=0-1,5-9',
  'bytes=0-4,2-8,-3',
  'bytes=0-,-100000',
  'bytes=300-200000',
] as const

const accepted = [
  '*/*',
  'image/avif,image/webp,*/*;q=0.8',
  'image/webp',
  'image/avif;q=0, image/*',
  'image/png',
  'text/html',
] as const

/** A valid value for a header; undefined to leave the header out. */
export function headerText(name: string, making: Making): string | undefined {
  return texts[name]?.(making)
}

/** The Upload-Checksum of some bytes in TUS form. */
function checksum(bytes: Buffer, algorithm: 'sha1' | 'sha256'): string {
  return `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`
}

function newKey(random: Making['random'], pool: Making['pool']): string {
  const key = `key ${wordOf(random)}`.replaceAll(/[^ -~]/g, '.')
  pool.keys.add(key)
  return key
}
