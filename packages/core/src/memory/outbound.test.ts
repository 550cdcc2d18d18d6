import { describe, expect, it } from 'vitest'
import { OutboundFailure, type OutboundRequest } from '../ports/index.ts'
import { createQuire } from '../quire.ts'
import { closedOutbound, fakeOutbound } from './outbound.ts'
import { createMemoryStore } from './store.ts'

const request: OutboundRequest = {
  url: 'https://public.example/hook',
  method: 'POST',
  headers: [['X', '1']],
  body: 'hello',
  connectMs: 1_000,
  totalMs: 1_000,
  maxAnswerBytes: 3,
}

const inward = [
  'http://127.0.0.1:8080',
  'http://2130706433',
  'http://0',
  'http://10.1.2.3',
  'http://172.20.0.1',
  'http://192.168.0.1',
  'http://169.254.169.254',
  'http://[::1]',
  'http://[fd00::1]',
  'http://localhost',
  'http://a.localhost.',
]

describe('a fake outbound port', () => {
  it('records requests and answers 204', async () => {
    const outbound = fakeOutbound()
    expect(await outbound.send(request)).toEqual({
      status: 204,
      headers: [],
      body: new Uint8Array(),
      isCut: false,
    })
    expect(outbound.sent).toEqual([request])
  })

  it('answers as scripted, cut to the maximum size', async () => {
    const outbound = fakeOutbound(({ body }) => ({
      status: 200,
      headers: [],
      body: new TextEncoder().encode(String(body)),
      isCut: false,
    }))
    const { status, body, isCut } = await outbound.send(request)
    expect([status, new TextDecoder().decode(body), isCut]).toEqual([200, 'hel', true])
    expect((await outbound.send({ ...request, body: 'abc' })).isCut).toBe(false)
  })

  it('fails as scripted', async () => {
    const failure = new OutboundFailure('timeout', 'late')
    const outbound = fakeOutbound(() => {
      throw failure
    })
    await expect(outbound.send(request)).rejects.toBe(failure)
    expect(outbound.sent).toEqual([request])
  })

  it.each([...inward, 'file:///etc/passwd', 'http://a@b'])('refuses %s', async (url) => {
    const outbound = fakeOutbound()
    const problem = outbound.problemOf(url)
    expect(problem).not.toBeNull()
    await expect(outbound.send({ ...request, url })).rejects.toMatchObject({
      problem: 'refused',
      message: problem,
    })
    expect(outbound.sent).toEqual([])
  })

  it.each([
    'http://public.example',
    'http://10.example',
    'http://1.1.1.1',
    'http://172.32.0.1',
    'http://[2606::1]',
  ])('accepts %s', (url) => expect(fakeOutbound().problemOf(url)).toBeNull())

  it('refuses a header that splits the request', async () => {
    const headers = [['X', 'a\r\nb: c']] as const
    await expect(fakeOutbound().send({ ...request, headers })).rejects.toMatchObject({ problem: 'refused' })
  })

  it('ends a wait that is aborted', async () => {
    const outbound = fakeOutbound(() => new Promise(() => undefined))
    const controller = new AbortController()
    const work = outbound.send({ ...request, signal: controller.signal })
    controller.abort()
    await expect(work).rejects.toMatchObject({ problem: 'aborted' })
    await expect(outbound.send({ ...request, signal: controller.signal })).rejects.toMatchObject({
      problem: 'aborted',
    })
    expect(outbound.sent).toHaveLength(1)
  })

  it('sends nothing once it is closed', async () => {
    const outbound = fakeOutbound()
    await outbound.close()
    await expect(outbound.send(request)).rejects.toMatchObject({ problem: 'aborted' })
  })
})

it('is closed with its engine', async () => {
  const outbound = fakeOutbound()
  await createQuire({ store: createMemoryStore(), outbound }).close()
  await expect(outbound.send(request)).rejects.toMatchObject({ problem: 'aborted' })
})

describe('an engine without an outbound port', () => {
  it('refuses every request, with a message that says what to do', async () => {
    const outbound = closedOutbound()
    await expect(outbound.send(request)).rejects.toMatchObject({
      problem: 'refused',
      message: 'This engine has no outbound port: configure one.',
    })
    await outbound.close()
  })

  it('distinguishes addresses that may be used from those that may not', () => {
    expect(closedOutbound().problemOf(request.url)).toBeNull()
    expect(closedOutbound().problemOf('http://127.0.0.1')).not.toBeNull()
  })
})
