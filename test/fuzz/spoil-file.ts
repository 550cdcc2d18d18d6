import type { Draft, Mutation } from './draft.ts'
import { hostileText } from './hostile.ts'
import type { Random } from './random.ts'
import { metadataText } from './upload-metadata.ts'

/** Ways to damage the bytes of a file. */
const damages: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  () => Buffer.alloc(0),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => bytes.subarray(random.below(bytes.length)),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]),
  (bytes) => Buffer.concat([Buffer.from('\u{feff}<!doctype html>'), bytes]),
  flipped,
  flipped,
  flipped,
]

/** Changes random bytes, mostly near the start, where lengths and types are stored. */
function flipped(bytes: Buffer, random: Random): Buffer {
  const damaged = Buffer.from(bytes)
  const near = Math.min(bytes.length, 300)
  if (near === 0) return damaged
  for (let count = 1 + random.below(8); count > 0; count--) damaged[random.below(near)] = random.below(256)
  return damaged
}

/** Damages the file. Checksum and length remain those of the original. */
export const spoilFile: Mutation = (draft, random) => {
  const { file } = draft
  if (file) draft.file = { ...file, bytes: random.pick(damages)?.(file.bytes, random) ?? file.bytes }
  // A rejection before the last byte is the hardest to send on a connection that closes afterwards.
  if (random.chance(0.3)) draft.headers.set('connection', 'close')
}

/** Announces other bytes than are sent. */
export const spoilLength: Mutation = (draft, random) => {
  draft.givenLength = random.pick(['half', 'more'])
}

const metadata: readonly ((whole: string, random: Random) => string)[] = [
  () => '',
  () => ',,,',
  () => 'repositoryId',
  () => 'repositoryId bWFnYXppbmU=',
  (whole) => `${whole},${whole}`,
  (whole) => `${whole},a b c`,
  (whole) => `${whole},a !!!`,
  (whole) => `${whole},a gA==`,
  (whole) => `${whole},__proto__ YQ==`,
  (whole) => `${whole},constructor YQ==,toString YQ==,hasOwnProperty YQ==`,
  (whole) => `${whole},a\tb YQ==`,
  (whole) => `${whole},\u{e4} YQ==`,
  (whole) => `${whole},x${'y'.repeat(4000)} YQ==`,
  (whole) => `${whole},a ${'QUFB'.repeat(2000)}`,
  (whole) => `${whole},${Array.from({ length: 800 }, (_, at) => `k${at} YQ==`).join(',')}`,
  (whole) => whole.replaceAll('=', ''),
  (whole) => whole.replaceAll(' ', '  '),
  (whole) => whole.replaceAll(',', ' , '),
  (whole, random) =>
    `${whole},${metadataText({ [anyOf(random, keys)]: hostileText(random).slice(0, 2500) })}`,
  (whole, random) => {
    const key = anyOf(random, keys)
    const others = whole.split(',').filter((pair) => !pair.startsWith(key))
    return [...others, metadataText({ [key]: hostileText(random).slice(0, 2500) })].join(',')
  },
  (whole, random) =>
    `${whole},${metadataText({ fields: anyOf(random, ['{', '[]', 'null', '{"__proto__":{}}', '{"alt":7}', '['.repeat(3000)]) })}`,
]

const keys = [
  'repositoryId',
  'packageName',
  'itemId',
  'type',
  'name',
  'filename',
  'filetype',
  'folderId',
  'fields',
  'specimen',
]

function anyOf(random: Random, texts: readonly string[]): string {
  return random.pick(texts) ?? ''
}

/** Damages the metadata of an upload. */
export const spoilMetadata: Mutation = ({ headers }, random) => {
  const whole = headers.get('upload-metadata') ?? ''
  headers.set('upload-metadata', random.pick(metadata)?.(whole, random) ?? '')
}

/** Sends the method in an override header, as for proxies that allow only POST. */
export const overrideMethod: Mutation = (draft: Draft) => {
  draft.headers.set('x-http-method-override', draft.method)
  draft.method = 'POST'
}
