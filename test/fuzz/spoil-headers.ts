import type { Mutation } from './draft.ts'

type HeaderValues = readonly (readonly [name: string, values: readonly string[]])[]

/** For any request. */
const common: HeaderValues = [
  ['if-match', ['*', '"x"', 'W/"1"', '"a", "b"', '""', '"', ',', '"\u{ff}"']],
  ['if-none-match', ['*', '"x"', '"a", W/"b"', ',,,', '"']],
  ['idempotency-key', ['', ' ', 'x'.repeat(255), 'x'.repeat(256), '\u{e4}', '"', "' OR 1=1"]],
  ['accept', ['*/*', 'text/html', 'application/xml;q=0', ';;;', 'application/json;version=99']],
  ['accept-encoding', ['gzip', 'identity;q=0', 'x'.repeat(500)]],
  [
    'content-type',
    [
      '',
      'text/plain',
      'application/json; charset=utf-16',
      'application/JSON',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json/x',
      'application/offset+octet-stream',
      '\u{ff}',
    ],
  ],
  ['content-encoding', ['gzip', 'br', 'identity']],
  [
    'authorization',
    [
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer a.b.c',
      'Bearer e30.e30.',
      'Basic YTpi',
      'Basic %%%',
      'Digest x',
      `Bearer ${'x'.repeat(5000)}`,
    ],
  ],
  ['x-request-id', ['x', '../..', '<script>', 'x'.repeat(200), '\u{e9}']],
  ['x-forwarded-for', ['127.0.0.1', '1.1.1.1, 2.2.2.2', 'x'.repeat(300)]],
  ['x-http-method-override', ['DELETE']],
  ['expect', ['100-continue', 'nonsense']],
  ['range', ['bytes=0-1', 'bytes=-1', 'x']],
  ['last-event-id', ['', '17', '__proto__', 'x'.repeat(2000), '\u{e9}']],
  ['cookie', ['a=b', ';;;', '__proto__=1']],
  ['transfer-encoding', ['chunked']],
  ['connection', ['close', 'upgrade']],
  ['upgrade', ['h2c']],
  ['host', ['', 'example.org:99999', 'a b']],
]

/** For requests for bytes. */
const ofBytes: HeaderValues = [
  [
    'range',
    [
      'bytes=',
      'bytes=-',
      'bytes=-0',
      'bytes=0--1',
      'bytes=9-1',
      'bytes=999999999-',
      'bytes=0-18446744073709551616',
      'bytes=9007199254740993-9007199254740995',
      'bytes=-9007199254740993',
      'bytes=0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0',
      'bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18',
      'bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20',
      `bytes=${'0-,'.repeat(1500)}`,
      `bytes=${Array.from({ length: 1200 }, (_, at) => `${2 * at}-${2 * at}`).join(',')}`,
      `bytes=${' '.repeat(9000)}-1`,
      `bytes=${'-'.repeat(9000)}`,
      `bytes=${'-1 '.repeat(3000)}`,
      'bytes=0-1,x',
      'bytes=,,,0-1',
      'bytes= 0-1 , 3-4',
      'bytes=0-4,2-8,1-1',
      'bytes=100-,0-50',
      'bytes=0x0-0x1',
      'bytes=1e1-',
      'bytes=+1-2',
      'bytes=1.5-2',
      'bytes =0-1',
      'BYTES=0-1',
      'items=0-1',
      '=0-1',
      'bytes',
      ' ',
      '\u{ff}',
    ],
  ],
  [
    'if-range',
    ['*', '"x"', 'W/"x"', '"', '"a", "b"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'x'.repeat(9000), '\u{ff}'],
  ],
  [
    'accept',
    [
      'image/*',
      '*/*;q=0',
      'IMAGE/AVIF',
      'image/jpeg',
      'image/avif;q=0',
      'image/webp;q=nan',
      'image/webp;q=0.0000000001',
      'image/webp;;;q',
      'image/svg+xml',
      'image/avif,'.repeat(900),
      'a/b;'.repeat(2000),
      ' '.repeat(9000),
      ',,,;,;',
      '\u{ff}',
    ],
  ],
  ['if-none-match', ['*', '"x"', `"${'0'.repeat(64)}"`, ', '.repeat(4000), '"'.repeat(9000)]],
]

/** For TUS uploads. Metadata is spoiled elsewhere. */
const ofUploads: HeaderValues = [
  ['tus-resumable', ['', '0.2.2', '1.0.0, 1.0.0', '1.0.0 ', '2', 'x'.repeat(9000)]],
  [
    'upload-offset',
    [
      '',
      '-1',
      '0',
      '1',
      '00',
      '1e3',
      '0x10',
      '1.0',
      ' 1',
      '٣',
      '9007199254740991',
      '9007199254740993',
      '9'.repeat(400),
    ],
  ],
  [
    'upload-length',
    [
      '',
      '-1',
      '0',
      '1',
      '5',
      '1e3',
      '5368709120',
      '5368709121',
      '9007199254740991',
      '9007199254740993',
      '9'.repeat(400),
    ],
  ],
  ['upload-defer-length', ['1']],
  ['upload-concat', ['partial', 'final;/api/items/upload/a /api/items/upload/b']],
  [
    'upload-checksum',
    [
      '',
      'sha1',
      'sha1 ',
      'sha1 !!!',
      'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
      'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0= x',
      'sha256 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
      'sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      'md5 1B2M2Y8AsgTpgAmY7PhCfg==',
      'crc32 AAAAAA==',
      `sha1 ${'A'.repeat(9000)}`,
      '__proto__ Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    ],
  ],
  ['content-type', ['', 'application/octet-stream', 'application/offset+octet-stream; x=y', 'text/plain']],
  ['x-http-method-override', ['PATCH', 'DELETE', 'HEAD', 'patch', '__proto__']],
]

function from(table: HeaderValues): Mutation {
  return (draft, random) => {
    const [name, values] = random.pick(table) ?? ['x', ['y']]
    draft.headers.set(name, random.pick(values) ?? '')
  }
}

/** Sets a header to a value that nobody should send. */
export const spoilHeader = from(common)

/** The same for the headers of range and conditional requests. */
export const spoilBytesHeader = from(ofBytes)

/** The same for the TUS headers. */
export const spoilUploadHeader = from(ofUploads)
