import { limits, type UpstreamAuth } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { anAction } from '../../../test/sample-reviews.ts'
import { noTrace, traceOfHeaders, type Trace } from '../../engine/trace.ts'
import { fakeOutbound, type FakeAnswer } from '../../memory/outbound.ts'
import { memorySecrets } from '../../memory/secrets.ts'
import { OutboundFailure, type OutboundAnswer } from '../../ports/index.ts'
import type { WorkflowConnectionRecord } from './records.ts'
import { askEngine, readAnswer } from './ask.ts'
import { sealSecrets } from './connection-secrets.ts'

const answerOf = (status: number, text: string, members: Partial<OutboundAnswer> = {}) => ({
  status,
  headers: [],
  body: new TextEncoder().encode(text),
  isCut: false,
  ...members,
})

const nobody = { kind: 'none' } as const

const read = (status: number, value: unknown) => readAnswer(answerOf(status, JSON.stringify(value)), nobody)

/** Nested empty lists. */
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('an answer that accepts the action', () => {
  it.each([200, 201, 202, 204, 299])('is %i with an empty body', (status) => {
    expect(readAnswer(answerOf(status, ''), nobody)).toEqual({ kind: 'taken', answer: {} })
  })

  it('is read without unknown members', () => {
    const given = { currentStep: 'legal', status: 'error', nextActionUrl: null, metadata: { round: 2 } }
    expect(read(200, { ...given, links: ['a'] })).toEqual({ kind: 'taken', answer: given })
  })

  it('has ids as text, steps with labels and known actions only, and people with a name', () => {
    const steps = [{ name: 'legal', allowedActions: ['cancel', 'escalate', 'approve'] }]
    expect(read(200, { id: 41, steps, assignee: { userName: 'lee' } })).toEqual({
      kind: 'taken',
      answer: {
        id: '41',
        steps: [{ name: 'legal', label: 'legal', allowedActions: ['approve', 'cancel'], assignedGroups: [] }],
        assignee: { userName: 'lee', displayName: 'lee', email: '' },
      },
    })
  })
})

describe('an answer that refuses', () => {
  it.each([400, 401, 403, 404, 409, 422, 429, 499])('is one of %i', (status) => {
    const reason = `The engine rejected the request with ${status}.`
    expect(readAnswer(answerOf(status, ''), nobody)).toEqual({ kind: 'refused', reason, status })
  })

  it.each([
    { auth: { kind: 'bearer', token: 'top-secret' }, message: 'got top-secret', visible: 'got ***' },
    {
      auth: { kind: 'api_key', headerName: 'x-key', key: 'top-secret' },
      message: 'top-secret?',
      visible: '***?',
    },
    {
      auth: { kind: 'basic', username: 'a', password: 'b#c' },
      message: 'a:b#c is YTpiI2M=',
      visible: 'a:*** is ***',
    },
  ] as const)('repeats nothing of credentials of the kind $auth.kind', ({ auth, message, visible }) => {
    for (const status of [403, 500])
      expect(readAnswer(answerOf(status, JSON.stringify({ message })), auth)).toMatchObject({
        reason: expect.stringContaining(`: ${visible}`),
      })
  })

  it.each([300, 301, 302, 304, 307, 308])('is one of %i, which is not followed', (status) => {
    const reason = `The engine answered with ${status}. Redirects are not followed.`
    expect(read(status, { currentStep: 'legal' })).toEqual({ kind: 'refused', reason, status })
  })

  it.each<[string, unknown, string]>([
    ['its message', { message: 'Not now', error: 'no' }, ': Not now'],
    ['its error', { error: 'no' }, ': no'],
    ['its error if the message is not a text', { message: {}, error: 'no' }, ': no'],
    ['no line breaks', { message: 'Not\r\nnow\u0007' }, ': Not now '],
    ['not more than 300 characters', { message: 'n'.repeat(400) }, `: ${'n'.repeat(300)}`],
    ['nothing of a text', 'no', ''],
    ['nothing of null', null, ''],
    ['nothing of other members', { detail: 'no' }, ''],
  ])('is shown with %s', (_name, given, words) => {
    expect(read(409, given)).toEqual({
      kind: 'refused',
      reason: `The engine rejected the request with 409${words}.`,
      status: 409,
    })
  })

  it('is shown without an explanation if the body was cut, or is not JSON', () => {
    const refused = { kind: 'refused', reason: 'The engine rejected the request with 409.', status: 409 }
    expect(readAnswer(answerOf(409, '{"message":"a"}', { isCut: true }), nobody)).toEqual(refused)
    expect(readAnswer(answerOf(409, '<html>'), nobody)).toEqual(refused)
  })
})

describe('an inconclusive answer', () => {
  it.each([500, 502, 503, 504, 599])('is one of %i', (status) => {
    expect(read(status, { message: 'later' })).toEqual({
      kind: 'unknown',
      reason: `The engine failed with ${status}: later`,
    })
  })

  it.each<[string, OutboundAnswer]>([
    ['was cut', answerOf(200, '{}', { isCut: true })],
    ['is HTML', answerOf(200, '<html>')],
    ['ends early', answerOf(200, '{"currentStep":"le')],
    ['is not UTF-8', answerOf(200, '', { body: new Uint8Array([0x22, 0xff, 0x22]) })],
    ['is a blank', answerOf(200, ' ')],
    ['is a list', answerOf(200, '[]')],
    ['is a text', answerOf(200, '"ok"')],
    ['is null', answerOf(200, 'null')],
    ['has a step that is a number', answerOf(200, '{"currentStep":7}')],
    ['has an empty step', answerOf(200, '{"currentStep":""}')],
    ['has an unknown status', answerOf(200, '{"status":"done"}')],
    ['has steps that are not a list', answerOf(200, '{"steps":{"name":"legal"}}')],
    ['has a step without a name', answerOf(200, '{"steps":[{"label":"Legal"}]}')],
    ['has somebody without a name', answerOf(200, '{"assignee":{"email":"a@example.com"}}')],
    ['has metadata that is a list', answerOf(200, '{"metadata":[]}')],
    ['has too much metadata', answerOf(200, `{"metadata":{"a":"${'a'.repeat(limits.workflowMetadata)}"}}`)],
    ['is nested too deep', answerOf(200, `{"metadata":{"a":${nested(limits.jsonDepth)}}}`)],
    ['contains a character that cannot be stored', answerOf(200, '{"currentStep":"a\\u0000b"}')],
    ['contains a reserved name', answerOf(200, '{"metadata":{"__proto__":{}}}')],
  ])('is one that %s', (_name, answer) => {
    expect(readAnswer(answer, nobody).kind).toBe('unknown')
  })

  it('names the invalid member', () => {
    expect(read(200, { status: 'done' })).toMatchObject({
      reason: expect.stringMatching(/^The answer of the engine is invalid: status /),
    })
  })
})

const secrets = memorySecrets()

async function aConnection(
  members: Partial<WorkflowConnectionRecord> = {},
  auth: UpstreamAuth = { kind: 'bearer', token: 'CANARY' },
): Promise<WorkflowConnectionRecord> {
  const known = {
    auth,
    callback: { apiKey: null, signingSecret: null },
  } as const
  return {
    id: 'CONN_1',
    name: 'Engine',
    baseUrl: 'https://engine.example.com',
    callbackBaseUrl: 'https://quire.example.com',
    auth: { kind: 'bearer', token: '***' },
    callback: { apiKey: null, signingSecret: null },
    allowedOrigins: [],
    timeoutMs: 10_000,
    createdDate: 0,
    updatedDate: 0,
    sealedSecrets: await sealSecrets({ secrets }, 'CONN_1', { ...known, before: null }),
    ...members,
  }
}

const action = anAction('approve', {
  url: 'https://engine.example.com/actions',
  body: '{"action":"approve"}',
})

async function ask(answer: FakeAnswer, members: Partial<WorkflowConnectionRecord> = {}) {
  const outbound = fakeOutbound(answer)
  const asked = await askEngine(
    { environment: { outbound, secrets }, trace: noTrace },
    await aConnection(members),
    action,
  )
  return { asked, sent: outbound.sent }
}

describe('asking an engine', () => {
  it('passes the trace on, but not over a header with the credentials', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const trace: Trace = traceOfHeaders({ traceparent })
    const sentWith = async (headerName: string) => {
      const outbound = fakeOutbound(() => answerOf(200, '{}'))
      const auth = { kind: 'api_key', headerName, key: 'CANARY' } as const
      const connection = await aConnection({}, auth)
      await askEngine({ environment: { outbound, secrets }, trace }, connection, action)
      return new Map(outbound.sent[0]?.headers).get('traceparent')
    }
    expect(await sentWith('x-key')).toBe(traceparent)
    expect(await sentWith('traceparent')).toBe('CANARY')
  })

  it('posts the action once, with the credentials of the connection and the id of the action', async () => {
    const { asked, sent } = await ask(() => answerOf(200, '{"currentStep":"legal"}'))
    expect(asked).toEqual({ kind: 'taken', answer: { currentStep: 'legal' } })
    expect(sent).toEqual([
      {
        url: action.url,
        method: 'POST',
        headers: [
          ['content-type', 'application/json'],
          ['accept', 'application/json'],
          ['idempotency-key', action.id],
          ['authorization', 'Bearer CANARY'],
        ],
        body: action.body,
        connectMs: 3000,
        totalMs: 10_000,
        maxAnswerBytes: limits.workflowAnswer,
      },
    ])
  })

  it('waits for the connection no longer than for the answer', async () => {
    const { sent } = await ask(() => answerOf(200, ''), { timeoutMs: 400 })
    expect(sent).toMatchObject([{ connectMs: 400, totalMs: 400 }])
  })

  it.each(['timeout', 'broken', 'aborted'] as const)(
    'that fails with %s is inconclusive',
    async (problem) => {
      const { asked } = await ask(() => {
        throw new OutboundFailure(problem, 'late')
      })
      expect(asked).toEqual({ kind: 'unknown', reason: 'The engine gave no answer (late)' })
    },
  )

  it.each(['refused', 'unreachable'] as const)(
    'that fails with %s is refused: nothing was sent',
    async (problem) => {
      const { asked } = await ask(() => {
        throw new OutboundFailure(problem, 'away')
      })
      expect(asked).toEqual({
        kind: 'refused',
        reason: 'The engine could not be reached: away',
        status: null,
      })
    },
  )

  it.each<[string, Partial<WorkflowConnectionRecord>]>([
    ['on another origin than the current engine of the connection', { baseUrl: 'https://new.example.com' }],
    ['on the host of the engine under another scheme', { baseUrl: 'http://engine.example.com' }],
    [
      'on an origin that the connection no longer allows',
      { baseUrl: 'https://a.example.com', allowedOrigins: ['https://b.example.com'] },
    ],
  ])('is refused for an address %s: nothing is sent', async (_words, members) => {
    const { asked, sent } = await ask(() => answerOf(200, ''), members)
    const reason = 'The connection does not allow the origin of the next action URL.'
    expect(asked).toEqual({ kind: 'refused', reason, status: null })
    expect(sent).toEqual([])
  })

  it('goes to an address on another origin that the connection allows', async () => {
    const elsewhere = { baseUrl: 'https://a.example.com', allowedOrigins: ['https://engine.example.com'] }
    expect((await ask(() => answerOf(200, ''), elsewhere)).sent).toMatchObject([{ url: action.url }])
  })

  it('is refused if the secrets cannot be opened: nothing is sent', async () => {
    const { asked, sent } = await ask(() => answerOf(200, ''), { id: 'CONN_2' })
    const reason = 'The secrets of the connection cannot be decrypted. Set them again.'
    expect(asked).toEqual({ kind: 'refused', reason, status: null })
    expect(sent).toEqual([])
  })

  it('passes on unexpected errors', async () => {
    const asked = ask(() => {
      throw new TypeError('ours')
    })
    await expect(asked).rejects.toThrow('ours')
  })
})
