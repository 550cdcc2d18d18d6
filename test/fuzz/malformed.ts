import type { WireRequest } from './encode.ts'
import type { Random } from './random.ts'

const json = 'content-type: application/json'
const form = 'content-type: multipart/form-data; boundary=x'
const tus = 'tus-resumable: 1.0.0\r\ncontent-type: application/offset+octet-stream'

/** Malformed requests that are rejected at once. */
const refused: readonly string[] = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /api/items HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n',
  'GET /api/items HTTP/1.1\r\nhost: a\r\n bad: folded\r\n\r\n',
  'GET /api/ items HTTP/1.1\r\nhost: a\r\n\r\n',
  '\0\0\0\0\0\0\0\0\r\n\r\n',
  '\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: -1\r\n\r\n`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: 1e3\r\n\r\n`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ntransfer-encoding: x\r\n\r\n`,
  `POST /api/assets/a HTTP/1.1\r\nhost: a\r\n${form}\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n--x--\r\n`,
  `PATCH /api/items/upload/a HTTP/1.1\r\nhost: a\r\n${tus}\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n`,
  `PATCH /api/items/upload/a HTTP/1.1\r\nhost: a\r\n${tus}\r\ncontent-length: 0x5\r\n\r\nabcde`,
  `GET /api/items HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET /api/items HTTP/1.1\r\n${'a: b\r\n'.repeat(5000)}\r\n`,
  'GET http://[::1 HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET http://example.org/api/items HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET // HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /%ff%fe HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /api/items/%c0%ae%c0%ae/x HTTP/1.1\r\nhost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET * HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /api/items HTTP/1.1\r\n\r\n',
  'get /api/items HTTP/1.1\r\nhost: a\r\n\r\n',
]

/**
 * Incomplete requests after which the server waits for more bytes. Their connections are abandoned.
 */
const unfinished: readonly string[] = [
  'GET /api/items HTTP/1.1\r\nhost: a\r\n',
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ncontent-length: 100\r\n\r\n{"name":`,
  `POST /oauth2/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\ngrant`,
  `POST /api/items HTTP/1.1\r\nhost: a\r\n${json}\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab`,
  `POST /api/assets/a HTTP/1.1\r\nhost: a\r\n${form}\r\ncontent-length: 100\r\n\r\n--x\r\nContent-Disp`,
  `PUT /api/assets/a/b/content HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffff\r\nab`,
  `PATCH /api/items/upload/a HTTP/1.1\r\nhost: a\r\n${tus}\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n`,
  'CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /api/items HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  'G',
]

/** Bytes that no client library would send. */
export function malformedRequest(random: Random): WireRequest {
  const isAnswered = random.chance(0.7)
  const text = random.pick(isAnswered ? refused : unfinished) ?? ''
  const bytes = random.chance(0.2) ? randomBytes(random) : Buffer.from(text, 'latin1')
  return {
    operation: 'malformed',
    method: 'GET',
    bytes,
    isAnswered: isAnswered && bytes.includes('\r\n\r\n'),
    isLast: false,
    isMalformed: true,
  }
}

function randomBytes(random: Random): Buffer {
  const bytes = Buffer.from(Array.from({ length: 20 + random.below(200) }, () => random.below(256)))
  return Buffer.concat([bytes, Buffer.from('\r\n\r\n')])
}
