import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'

/** A file in a request. */
export interface SentFile {
  /** The label of this file, independent of the name that it is sent with. */
  readonly label: string
  readonly name: string
  /** The media type that is sent with it. */
  readonly type: string
  readonly bytes: Buffer
  /** Whether a content type for pictures accepts it. */
  readonly isPicture: boolean
}

const specimens = new URL('../../packages/testkit/media/', import.meta.url)

function specimen(name: string): Buffer {
  return readFileSync(new URL(name, specimens))
}

/**
 * A PNG whose header claims 30 000 × 30 000 pixels, with only a few pixels. A decoder that trusts
 * the header allocates 2.7 GB.
 */
function boastfulPng(): Buffer {
  const bytes = specimen('quarters.png')
  bytes.writeUInt32BE(30_000, 16)
  bytes.writeUInt32BE(30_000, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

/** An animation of 150 one-pixel frames, which is above the limit. */
function longGif(): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF', 'latin1')
  const frame = Buffer.from(
    '\x21\xF9\x04\x04\x0A\0\0\0\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0',
    'latin1',
  )
  return Buffer.concat([head, ...Array.from({ length: 150 }, () => frame), Buffer.from(';')])
}

/** Recognized as MP4 by its first box. Larger than 256 KiB, so that answers are streamed. */
function film(): Buffer {
  const head = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1')
  return Buffer.concat([head, Buffer.alloc(400_000, '0123456789abcdef')])
}

type Named = readonly [name: string, type: string, bytes: Buffer]

const pictures: readonly Named[] = [
  ['quarters.png', 'image/png', specimen('quarters.png')],
  ['turned.jpg', 'image/jpeg', specimen('turned.jpg')],
  ['cmyk.jpg', 'image/jpeg', specimen('cmyk.jpg')],
  ['display-p3.jpg', 'image/jpeg', specimen('display-p3.jpg')],
  ['deep-alpha.png', 'image/png', specimen('deep-alpha.png')],
  ['animated.gif', 'image/gif', specimen('animated.gif')],
  ['animated.webp', 'image/webp', specimen('animated.webp')],
  ['quarters.avif', 'image/avif', specimen('quarters.avif')],
]

/**
 * Files that look like pictures by their first bytes, but that cannot be converted or cannot be
 * decoded; and one that takes a while.
 */
const odd: readonly Named[] = [
  ['phone.heic', 'image/heic', specimen('phone.heic')],
  ['boastful.png', 'image/png', boastfulPng()],
  ['cut.png', 'image/png', specimen('quarters.png').subarray(0, 120)],
  ['head.png', 'image/png', specimen('quarters.png').subarray(0, 33)],
  ['cut.jpg', 'image/jpeg', specimen('turned.jpg').subarray(0, 900)],
  ['long.gif', 'image/gif', longGif()],
  [
    'both.gif',
    'image/gif',
    Buffer.from('GIF89a/*\0\x01\0\0\0*/=1;alert(1)<script>alert(1)</script>', 'latin1'),
  ],
  [
    'drawing.svg',
    'image/svg+xml',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  ],
  ['photo.jpg', 'image/jpeg', specimen('photo.jpg')],
]

const documents: readonly Named[] = [
  ['page.html', 'text/html', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['notes.txt', 'text/plain', Buffer.from('ink and paper')],
  ['list.csv', 'text/csv', Buffer.from('=cmd|" /C calc"!A0,1\n')],
  ['run.js', 'text/javascript', Buffer.from('alert(1)')],
  ['data.json', 'application/json', Buffer.from('{"__proto__":{"isAdmin":true}}')],
  [
    'feed.xml',
    'application/xml',
    Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
  ],
  ['de.xlf', 'application/xliff+xml', xliff()],
  ['page.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n%%EOF\n')],
  ['many.zip', 'application/zip', Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')],
  ['program.exe', 'application/x-msdownload', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')],
  ['bytes.bin', 'application/octet-stream', Buffer.from(Array.from({ length: 999 }, (_, at) => at % 256))],
  ['empty', '', Buffer.alloc(0)],
  ['long.txt', 'text/plain', Buffer.alloc(90_000, 'oak gall ink ')],
  ['long.log', 'text/plain', Buffer.alloc(70_000, 'x'.repeat(99).concat('\n'))],
  ['film.mp4', 'video/mp4', film()],
]

function xliff(): Buffer {
  const namespace = 'urn:oasis:names:tc:xliff:document:2.0'
  return Buffer.from(`<xliff xmlns="${namespace}" version="2.1" srcLang="en" trgLang="de"/>`)
}

function filesOf(named: readonly Named[], isPicture: boolean): SentFile[] {
  return named.map(([name, type, bytes]) => ({ label: name, name, type, bytes, isPicture }))
}

const plainPictures = filesOf(pictures, true)
const oddPictures = filesOf(odd, true)
const others = filesOf(documents, false)
const byLabel = new Map([...plainPictures, ...oddPictures, ...others].map((file) => [file.label, file]))

/** The file with a label; undefined if there is none. */
export function fileLabelled(label: string): SentFile | undefined {
  return byLabel.get(label)
}

const otherTypes = [
  '',
  'image/png',
  'text/html',
  'application/x',
  'multipart/form-data; boundary=x',
  ';',
  'é',
] as const

/** A random file: usually a usable picture, with its own name and type or with any other. */
export function fileOf(random: Random): SentFile {
  const kind = random.chance(0.6) ? plainPictures : random.pick([others, oddPictures])
  const file = random.pick(kind) ?? raiseNone()
  return {
    ...file,
    name: random.chance(0.4) ? fileName(random) : file.name,
    type: random.chance(0.15) ? random.pick(otherTypes) : file.type,
  }
}

function raiseNone(): never {
  throw new Error('there are no files')
}

const names = [
  'a.jpg',
  'Öl & Tinte 墨.png',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  '/etc/passwd',
  'C:\\x.png',
  '.htaccess',
  '...',
  'con.txt',
  'a.png\0.exe',
  'a\r\nX-Injected: 1\r\n\r\n.png',
  'a".png"; filename="b.html',
  "a'b;c%00.png",
  "UTF-8''%2e%2e%2f",
  'gpj.\u{202e}exe',
  'e\u{301}'.repeat(200),
  `${'n'.repeat(520)}.png`,
  `n.${'x'.repeat(300)}`,
  '.'.repeat(400),
  ' .png ',
  '\u{1f600}.png',
  'half \u{d83d}.png',
  '?=*|<>:.txt',
] as const

/** A file name, rarely a realistic one. */
export function fileName(random: Random): string {
  return random.chance(0.5) ? random.pick(names) : hostileText(random).slice(0, 700)
}
