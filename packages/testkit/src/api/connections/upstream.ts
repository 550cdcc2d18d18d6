import type { FakeAnswer } from '@quire/core/memory'
import { OutboundFailure, type OutboundAnswer, type OutboundRequest } from '@quire/core/ports'

/** The address of the suite's upstream. A fake: nothing is sent. */
export const upstream = 'https://upstream.example.com'

/** A request as the upstream received it, which it returns for paths that begin with `echo`. */
export interface Echoed {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The request in the form that `echo` returns. */
export function echoOf(request: OutboundRequest | undefined): Echoed {
  const { method = '', url = '', headers = [], body = '' } = request ?? {}
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined)
  return { method, url, headers: Object.fromEntries(headers), body: text }
}

/**
 * Answers as the first part of the path says, after an optional version: `echo` returns the
 * request.
 */
export const answerOfUpstream: FakeAnswer = (request) => {
  const { pathname } = new URL(request.url)
  const [what = '', how = ''] = pathname.split('/').filter((part) => !/^(?:|v1)$/.test(part))
  return ways[what]?.(how, request) ?? answered(404, '{"message":"no such thing"}')
}

const ways: Readonly<Record<string, (how: string, request: Parameters<FakeAnswer>[0]) => OutboundAnswer>> = {
  echo: (_, request) => answered(200, request.method === 'HEAD' ? '' : JSON.stringify(echoOf(request))),
  status: (how) => answered(Number(how), how === '204' ? '' : `status ${how}`),
  bare: () => ({ ...answered(200, 'bare'), headers: [] }),
  long: (how) => answered(200, 'x'.repeat(Number(how))),
  packed: () => ({ ...answered(200, 'packed'), headers: [['content-encoding', 'gzip']] }),
  says: (how) => ({ ...answered(200, ''), headers: [['content-length', how]] }),
  hostile: () => ({
    ...answered(200, '<script>alert(1)</script>'),
    headers: [
      ['content-type', 'text/html'],
      ['set-cookie', 'token=stolen'],
      ['etag', '"1"'],
      ['location', 'https://elsewhere.example.com'],
      ['access-control-allow-origin', '*'],
      ['x-powered-by', 'them'],
      ['quire-upstream-status', '999'],
    ],
  }),
  chat: (_, request) => answerOfModel(jsonOf(request)),
  embeddings: (_, request) =>
    answered(200, JSON.stringify({ data: [{ embedding: [0.5] }], asked: jsonOf(request) })),
  models: () => answered(200, '{"data":[{"id":"small"}]}'),
  down: () => {
    throw new OutboundFailure('unreachable', 'upstream.example.com is down')
  },
  late: () => {
    throw new OutboundFailure('timeout', 'it took too long')
  },
}

/** The request of a chat. */
interface Chat {
  readonly model?: string
  readonly stream?: boolean
  readonly stream_options?: object
}

/**
 * A language model that returns its request and uses 10 tokens. Its name can change that: `says …`
 * answers with that text, `status 401` with that status, `late` times out, `silent` reports no
 * tokens.
 */
function answerOfModel(asked: Chat): OutboundAnswer {
  const [word, rest = ''] = (asked.model ?? '').split(/ (.*)/s)
  if (word === 'status') return answered(Number(rest), '{"error":{"message":"no"}}')
  if (word === 'late') throw new OutboundFailure('timeout', 'it took too long')
  const content = word === 'says' ? rest : 'Ink.'
  const usage = word === 'silent' ? {} : { usage: { total_tokens: 10 } }
  if (asked.stream) return answeredAsEvents(content, asked)
  return answered(200, JSON.stringify({ choices: [{ message: { content } }], ...usage, asked }))
}

function answeredAsEvents(content: string, asked: Chat): OutboundAnswer {
  const chunks = [
    { choices: [{ delta: { content } }], asked },
    ...(JSON.stringify(asked.stream_options ?? {}).includes('true') ? [{ usage: { total_tokens: 10 } }] : []),
  ]
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return { ...answered(200, `${text}data: [DONE]\n\n`), headers: [['content-type', 'text/event-stream']] }
}

function jsonOf({ body }: Parameters<FakeAnswer>[0]): Chat {
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined))
}

function answered(status: number, text: string): OutboundAnswer {
  const headers = [['content-type', 'application/json']] as const
  return { status, headers, body: new TextEncoder().encode(text), isCut: false }
}
