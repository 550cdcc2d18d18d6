import { expect, it } from 'vitest'
import { fileBodyOf } from './file-body.ts'

const request = { method: 'POST', path: '/', headers: {} } as Parameters<typeof fileBodyOf>[0]

async function* chunks() {
  yield new TextEncoder().encode('one ')
  yield new TextEncoder().encode('two')
}

it.each([
  [3, false],
  [64 * 1024 ** 2, true],
])('a file of %i bytes that is no Blob is streamed: %s', async (size, isStreamed) => {
  const body = await fileBodyOf({ ...request, isForm: false }, { size, stream: chunks })
  expect(body instanceof ReadableStream).toBe(isStreamed)
  expect(await new Response(body).text()).toBe('one two')
})

it('a streamed file is left when the request ends early', async () => {
  let isLeft = false
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(10)
    } finally {
      isLeft = true
    }
  }
  const file = { size: 1e9, stream: endless }
  const body = (await fileBodyOf({ ...request, isForm: false }, file)) as ReadableStream<Uint8Array>
  const reader = body.getReader()
  expect((await reader.read()).value).toHaveLength(10)
  await reader.cancel()
  expect(isLeft).toBe(true)
})
