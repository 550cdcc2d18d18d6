import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { accessTo, anotherServer, aLocation, isLeft, type Location } from './location.ts'

const messages = [{ role: 'user' as const, content: 'What is ink?' }]

/** A minimal OpenAI-compatible server. Its answers contain the request that it received. */
async function aModelServer() {
  return anotherServer((request, response) => {
    void text(request).then((body) => {
      const { pathname } = new URL(request.url ?? '', 'http://model')
      if (request.headers.authorization !== 'Bearer sk-upstream') return response.writeHead(401).end('{}')
      const asked = body === '' ? {} : JSON.parse(body)
      if (asked.model === 'endless') return void response.write('data: {"choices":[]}\n\n')
      response.setHeader('content-type', asked.stream ? 'text/event-stream' : 'application/json')
      if (!asked.stream) return response.end(JSON.stringify(answers[pathname]?.(asked) ?? {}))
      for (const content of ['Oak ', 'galls.'])
        response.write(`data: ${JSON.stringify(chunk([{ index: 0, delta: { content } }]))}\n\n`)
      if (asked.stream_options?.include_usage)
        response.write(`data: ${JSON.stringify({ ...chunk([]), usage })}\n\n`)
      return response.end('data: [DONE]\n\n')
    })
  })
}

const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 }
const chunk = (choices: object[]) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, choices })

const answers: Readonly<Record<string, (asked: Readonly<Record<string, unknown>>) => object>> = {
  '/v1/chat/completions': ({ model }) => ({
    id: 'c',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Oak galls.' }, finish_reason: 'stop' }],
    usage,
  }),
  '/v1/embeddings': ({ encoding_format: format }) => ({
    object: 'list',
    data: [
      {
        object: 'embedding',
        index: 0,
        embedding:
          format === 'base64'
            ? Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64')
            : [0.5, -1],
      },
    ],
    usage,
  }),
  '/v1/models': () => ({ object: 'list', data: [{ id: 'small', object: 'model' }] }),
}

/** The OpenAI library, configured for the service. */
async function aClient(more: object = {}) {
  const location = await aLocation()
  const upstream = await aModelServer()
  const accessId = await accessTo(location, `${upstream.url}/v1`, {
    type: 'openai',
    apiKey: 'sk-upstream',
    ...more,
  })
  return { location, upstream, accessId, openai: pointedAt(location, accessId) }
}

function pointedAt({ url, token }: Location, accessId: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/api/ai/${accessId}`, apiKey: token, maxRetries: 0 })
}

describe('the OpenAI library, configured for the service', () => {
  it('gets an answer', async () => {
    const { openai, upstream, location } = await aClient()
    const answer = await openai.chat.completions.create({ model: 'small', messages, temperature: 0 })
    expect(answer.choices[0]?.message.content).toBe('Oak galls.')
    expect(answer.usage).toEqual(usage)
    expect(JSON.stringify(upstream.headers())).not.toContain(location.token)
    expect(Object.keys(upstream.headers()).some((name) => name.startsWith('x-stainless'))).toBe(false)
  })

  it('gets a streamed answer', async () => {
    const { openai } = await aClient()
    const pieces: (string | null | undefined)[] = []
    for await (const { choices } of await openai.chat.completions.create({
      model: 'small',
      messages,
      stream: true,
    }))
      pieces.push(choices[0]?.delta.content)
    expect(pieces).toEqual(['Oak ', 'galls.'])
  })

  it('gets embeddings and models', async () => {
    const { openai } = await aClient()
    const { data } = await openai.embeddings.create({ model: 'small', input: 'ink' })
    expect(data[0]?.embedding).toEqual([0.5, -1])
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['small'])
  })

  it('gets a retry time when its budget is exhausted', async () => {
    const { openai } = await aClient({ budget: { tokens: 10, per: 'month' } })
    const stream = await openai.chat.completions.create({ model: 'small', messages, stream: true })
    for await (const _ of stream);
    const error = await openai.chat.completions.create({ model: 'small', messages }).catch((reason) => reason)
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(Number(error.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('gets 404 without a valid token, and an error if the upstream rejects the key', async () => {
    const { location, accessId, upstream } = await aClient()
    const stranger = pointedAt({ ...location, token: 'nobody' }, accessId)
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    const wrong = await accessTo(location, `${upstream.url}/v1`, { type: 'openai', apiKey: 'sk-other' })
    await expect(pointedAt(location, wrong).models.list()).rejects.toMatchObject({ status: 502 })
  })

  it('stops the model when it disconnects', async () => {
    const { openai, upstream } = await aClient()
    const stream = await openai.chat.completions.create({ model: 'endless', messages, stream: true })
    for await (const _ of stream) break
    expect(await isLeft(upstream)).toBe(true)
  })
})
