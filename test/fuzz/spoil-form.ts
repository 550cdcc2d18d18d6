import type { Draft, Mutation } from './draft.ts'
import { fileName, type SentFile } from './files.ts'
import { hostileText } from './hostile.ts'
import { toJson } from './json-text.ts'
import { boundary, dataPart, filePart, formOf, formType, rawFilePart, type Part } from './multipart.ts'
import type { Random } from './random.ts'

/** The parts of a form. */
interface FormParts {
  readonly data: Part
  readonly file: Part
  readonly sent: SentFile
  readonly random: Random
}

type Broken = (pieces: FormParts) => readonly Part[]

const disposition = 'Content-Disposition: form-data'

function field(name: string, value: string): Part {
  return { head: [`${disposition}; name="${name}"`], content: Buffer.from(value) }
}

function withHead(part: Part, head: readonly string[]): Part {
  return { ...part, head }
}

/** Forms whose parts are not data followed by file, or whose parts have strange headers. */
const brokenParts: readonly Broken[] = [
  () => [],
  ({ data }) => [data],
  ({ file }) => [file],
  ({ data, file }) => [data, data, file],
  ({ data, file }) => [data, file, file],
  ({ data, file }) => [file, data],
  ({ data, file }) => [data, file, data],
  ({ data, file }) => [data, field('other', 'x'), file],
  ({ data, file }) => [field('_charset_', 'utf-16'), data, file],
  ({ data, file }) => [data, file, field('__proto__', '{"isAdmin":true}')],
  ({ file }) => [field('data[name]', 'x'), file],
  ({ file }) => [...Array.from({ length: 500 }, (_, at) => field(`f${at}`, '')), file],
  ({ data, sent }) => [data, field('file', sent.bytes.toString('latin1'))],
  ({ data, file }) => [withHead(data, [`${disposition}; name="data"; filename="data.json"`]), file],
  ({ data, file }) => [
    withHead(data, [`${disposition}; name="data"`, 'Content-Type: application/json; charset=utf-16']),
    file,
  ],
  ({ data, file }) => [data, withHead(file, [])],
  ({ data, file }) => [data, withHead(file, [disposition])],
  ({ data, file }) => [data, withHead(file, ['Content-Disposition: attachment; name="file"; filename="a"'])],
  ({ data, file }) => [data, withHead(file, [`${disposition}; name=""; filename=""`])],
  ({ data, file }) => [data, withHead(file, [`${disposition}; name="file"; filename=""`])],
  ({ data, file }) => [
    data,
    withHead(file, [`${disposition}; name="file"; filename*=UTF-8''%2e%2e%2fa%00%zz.png`]),
  ],
  ({ data, file }) => [data, withHead(file, [`${disposition}; name="file"; filename*=x-none''%ff`])],
  ({ data, file }) => [
    data,
    withHead(file, [`${disposition}; name="file"; filename="${'\\"'.repeat(4000)}"`]),
  ],
  ({ data, file }) => [data, withHead(file, [...file.head, 'Content-Transfer-Encoding: base64'])],
  ({ data, file }) => [data, withHead(file, [...file.head, 'Content-Type: multipart/mixed; boundary=y'])],
  ({ data, file }) => [data, withHead(file, [...file.head, ...file.head])],
  ({ data, file }) => [data, withHead(file, [...file.head, `X: ${'y'.repeat(20_000)}`])],
  ({ data, file }) => [data, withHead(file, [...file.head, `X: ${'y'.repeat(300_000)}`])],
  ({ data, file }) => [
    data,
    withHead(file, [...file.head, ...Array.from({ length: 3000 }, (_, at) => `X-${at}: y`)]),
  ],
  ({ data, file }) => [
    data,
    withHead(file, [...file.head, ' folded: line', 'no colon', ': no name', '\0: \0']),
  ],
  ({ data, sent, random }) => [data, rawFilePart(fileName(random), sent)],
  ({ data, sent, random }) => [data, rawFilePart(hostileText(random).slice(0, 4000), sent)],
  ({ data, sent, random }) => [data, filePart({ ...sent, name: hostileText(random) })],
  ({ data, sent }) => [
    data,
    filePart({ ...sent, bytes: Buffer.concat([sent.bytes, Buffer.from(`\r\n--${boundary}`), sent.bytes]) }),
  ],
  ({ data, sent }) => [
    data,
    filePart({ ...sent, bytes: Buffer.from(`\r\n--${boundary.slice(0, -1)}`.repeat(5000)) }),
  ],
]

/** Texts for the part `data` that are not objects, or that should be rejected. */
const dataTexts = [
  '',
  ' ',
  'null',
  '[]',
  '"x"',
  '7',
  '{',
  '{"__proto__":{"a":1}}',
  '\u{feff}{}',
  '{"file":{}}',
  '{"configId":"x"}',
  '['.repeat(50_000),
] as const

/** Ways to damage the bytes of a form. */
const brokenBytes: readonly ((whole: Buffer, random: Random) => Buffer)[] = [
  (whole, random) => whole.subarray(0, random.below(whole.length)),
  (whole, random) => whole.subarray(0, Math.max(0, whole.length - 1 - random.below(12))),
  (whole) => Buffer.from(whole.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (whole) => Buffer.from(whole.toString('latin1').replaceAll('\r\n\r\n', '\r\n'), 'latin1'),
  (whole) => Buffer.from(whole.toString('latin1').replaceAll('"', ''), 'latin1'),
  (whole) => Buffer.concat([Buffer.from('preamble\r\n'), whole, Buffer.from('epilogue')]),
  (whole) => Buffer.concat([whole, whole]),
  (whole) => Buffer.concat([Buffer.from(`--${boundary}\r\n`), whole]),
  (whole) => whole.subarray(2),
  () => Buffer.from(`--${boundary}--`),
  () => Buffer.from(`--${boundary}\r\n`.repeat(5000)),
  () => Buffer.from('-'.repeat(100_000)),
  () => Buffer.alloc(0),
]

/** Media types that do not fit the body. */
const formTypes = [
  'multipart/form-data',
  'multipart/form-data;',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary=other',
  `multipart/form-data; boundary=${'b'.repeat(5000)}`,
  `multipart/form-data; boundary="${boundary}"`,
  `multipart/form-data; boundary=${boundary}; boundary=x`,
  `multipart/form-data; boundary=${boundary} x`,
  `multipart/form-data; charset=utf-16; boundary=${boundary}`,
  `multipart/form-data; boundary*=UTF-8''${boundary}`,
  `MULTIPART/FORM-DATA; BOUNDARY=${boundary}`,
  `multipart/mixed; boundary=${boundary}`,
  'multipart/form-data; boundary="\u{ff}"',
] as const

/** Damages a form: its parts, its bytes, or its media type. */
export const spoilForm: Mutation = (draft, random) => {
  const pieces = piecesOf(draft, random)
  const way = random.below(10)
  draft.headers.set('content-type', way === 0 ? random.pick(formTypes) : formType)
  if (way === 0) return
  if (way === 1) draft.rawBody = formOf([dataPart(random.pick(dataTexts)), pieces.file])
  else if (way < 5)
    draft.rawBody = random.pick(brokenBytes)?.(formOf([pieces.data, pieces.file]), random) ?? Buffer.alloc(0)
  else draft.rawBody = formOf(random.pick(brokenParts)?.(pieces) ?? [])
}

const noFile: SentFile = { label: 'none', name: 'x', type: '', bytes: Buffer.from('x'), isPicture: false }

function piecesOf({ body, file: sent = noFile }: Draft, random: Random): FormParts {
  return { data: dataPart(toJson(body ?? {})), file: filePart(sent), sent, random }
}
