import { Readable } from 'node:stream'
import { contract, QuireError } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import { describe, expect, it } from 'vitest'
import { readForm } from './read-form.ts'
import { readWholeForm } from './whole-form.ts'

const upload = contract.assets.create
const boundary = 'multipart/form-data; boundary=edge'

const part = (head: string, body: string) =>
  `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
const data = part('name="data"', '{"name":"A"}')
const file = part('name="file"; filename="ä.txt"\r\nContent-Type: text/markdown', 'hello\u{1f58b}')

/** Bytes in chunks, as they arrive. */
async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
}

interface FileOfForm {
  readonly name: string
  readonly type: string
  stream(): AsyncIterable<Uint8Array>
}

/** What an operation gets, or why it gets nothing. */
async function outcomeOf(reading: Promise<unknown>): Promise<unknown> {
  try {
    const input = (await reading) as { file?: FileOfForm } | undefined
    if (!input?.file) return input
    const { file: received, ...members } = input as { file: FileOfForm }
    const chunks: Uint8Array[] = []
    for await (const chunk of received.stream()) chunks.push(chunk)
    return { ...members, file: [received.name, received.type, Buffer.concat(chunks).toString()] }
  } catch (error) {
    if (!(error instanceof QuireError)) throw error
    return { code: error.code, message: error.message, issues: error.issues }
  }
}

interface Sent {
  readonly text: string
  readonly contentType?: string
  readonly route?: Route
}

/** What comes of a form that is in memory, and of one that streams. */
function both({ text, contentType = boundary, route = upload }: Sent) {
  const whole = readWholeForm(route, { contentType, body: chunksOf(text) })
  const payload = Readable.from(chunksOf(text), { objectMode: false })
  const streamed = readForm(route, { contentType, payload, slots: { take: () => Promise.resolve() } })
  return Promise.all([outcomeOf(whole), outcomeOf(streamed)])
}

describe('a form in memory is read as one that streams', () => {
  it('with data and a file', async () => {
    const [whole, streamed] = await both({ text: `${data}${file}--edge--\r\n` })
    expect(whole).toEqual({ name: 'A', file: ['ä.txt', 'text/markdown', 'hello\u{1f58b}'] })
    expect(whole).toEqual(streamed)
  })

  it.each([
    ['without a file', `${data}--edge--\r\n`],
    ['without data', `${file}--edge--\r\n`],
    [
      'with data as a file',
      `${part('name="data"; filename="blob"\r\nContent-Type: application/json', '{"name":"A"}')}${file}--edge--\r\n`,
    ],
    ['with a file without a type', `${data}${part('name="file"; filename="a"', 'x')}--edge--\r\n`],
  ])('%s', async (_, text) => {
    const [whole, streamed] = await both({ text })
    expect(whole).toEqual(streamed)
    expect(whole).not.toHaveProperty('code')
  })

  it.each([
    ['with the file first', `${file}${data}--edge--\r\n`],
    ['with two files', `${data}${file}${file}--edge--\r\n`],
    ['with two data', `${data}${data}--edge--\r\n`],
    ['with another part', `${data}${part('name="other"', 'x')}--edge--\r\n`],
    ['with a file that is text', `${data}${part('name="file"', 'x')}--edge--\r\n`],
    ['with data that is not JSON', `${part('name="data"', '{')}--edge--\r\n`],
    [
      'with data that is too large',
      `${part('name="data"', `"${'x'.repeat(5 * 1024 ** 2)}"`)}${file}--edge--\r\n`,
    ],
    ['that breaks off', data.slice(0, 50)],
    ['that is no form', 'x'],
  ])('%s is rejected', async (_, text) => {
    const [whole, streamed] = await both({ text })
    expect(whole).toEqual(streamed)
    expect(whole).toHaveProperty('code')
  })

  it.each(['multipart', 'jsonOrMultipart'] as const)('without parts, for %s', async (body) => {
    const [whole, streamed] = await both({ text: '--edge--\r\n', route: { ...upload, body } })
    expect(whole).toEqual(streamed)
    expect(whole === undefined).toBe(body === 'multipart')
  })

  it('without a boundary is rejected', async () => {
    const [whole, streamed] = await both({ text: `${data}--edge--\r\n`, contentType: 'multipart/form-data' })
    expect(whole).toEqual(streamed)
    expect(whole).toHaveProperty('code', 'invalid')
  })
})
