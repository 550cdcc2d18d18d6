import { type Contract, type OutputOf, type ParsedOf, QuireError, type AiProposal } from '@quire/contract'
import { knownMembers, type Upstream, spendTokens } from '../access/upstream.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { pageOf, collect } from '../../engine/paging.ts'
import {
  modelType,
  askModel,
  findModelUpstream,
  type Question,
  givenIn,
  missing,
  type TaskInput,
  tasks,
  type Content,
} from './tasks.ts'
import { invalid } from '../../engine/check-input.ts'
import { ServedProxied, type ProxiedSource } from '../../engine/served-proxied.ts'
import { findItem } from '../../content/items/find.ts'
import { findScope } from '../../engine/scope.ts'
import { type Json, isJsonObject, type Bytes } from '../../ports/index.ts'

type List = Contract['ai']['providers']

/** The access configurations of language models, without where they lead. Errors: `forbidden`. */
async function listProviders(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const stored = await call.store.records.list('accessConfiguration')
  const providers = stored.flatMap(({ id, name, type, members }) => {
    const { baseUrl, model = null } = knownMembers({ name, type }, members)
    return type === modelType && baseUrl !== undefined ? [{ id, name, model }] : []
  })
  return pageOf(providers, input)
}

type Ai = Contract['ai']

/** What a language model says to a chat. Errors: `forbidden`, `invalid` where neither it nor the configuration names a model, and those of `askModel`. */
export async function chat(call: Call, { accessId, ...body }: ParsedOf<Ai['chat']>): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'chat/completions', body, isStreamed: body.stream === true })
}

/** Vectors of texts. Errors: as of `chat`. */
export async function embeddings(
  call: Call,
  { accessId, ...body }: ParsedOf<Ai['embeddings']>,
): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'embeddings', body })
}

/** The models that an upstream has. Errors: as of `chat`. */
export async function models(call: Call, { accessId }: ParsedOf<Ai['models']>): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'models' })
}

async function proxyRequest(call: Call, accessId: string, question: Question): Promise<ServedProxied> {
  const upstream = await findModelUpstream(call, accessId)
  if (!question.body) return new ServedProxied(await askModel(call, upstream, question))
  const asked = { ...question, body: namingModel(question.body, upstream.model) }
  if (upstream.budget?.tokens === undefined) return new ServedProxied(await askModel(call, upstream, asked))
  const reported = asked.isStreamed ? { ...asked, body: countingUsage(asked.body) } : asked
  return new ServedProxied(
    countingTokens(call, { upstream, question: reported, answer: await askModel(call, upstream, reported) }),
  )
}

/** The same with the model of the configuration, where it names none. Errors: `invalid` where that has none either. */
function namingModel(body: { model?: unknown }, model: string | null): object {
  if (body.model !== undefined) return body
  if (model === null)
    throw invalid([{ path: 'model', message: 'is required: the access configuration names none' }])
  return { ...body, model }
}

/** The same, asking for the tokens that a stream used, where nothing is said of it: streams tell them only when asked. */
function countingUsage(body: object): object {
  const given: unknown = 'stream_options' in body ? body.stream_options : null
  const options = typeof given === 'object' ? given : {}
  return { ...body, stream_options: { include_usage: true, ...options } }
}

/**
 * What a language model proposes for an item that the caller may read. Nothing is saved.
 * Errors: `forbidden`, `not_found`; `invalid` for a member that the task needs; `invalid_state` for a picture of an item that has none; `too_large` for
 * more than a model is shown; those of `askModel`; `upstream_failed` also for an answer that is no proposal.
 */
export async function task(call: Call, input: TaskInput): Promise<AiProposal> {
  const { repositoryId, packageName, itemId, accessId } = input
  const scope = await findScope(call, { configId: repositoryId, packageName })
  requirePermission(call, 'ai.use', { repositoryId: scope.branch.repositoryId })
  const head = await findItem(call, scope, itemId)
  const upstream = await findModelUpstream(call, accessId)
  const model = input.model ?? upstream.model ?? missing('model')
  const asked = tasks[input.task]
  const { content, context } = await asked.ask(call, { scope, head, input })
  const given = await proposalOf(call, upstream, { model, content })
  return { task: input.task, itemId: head.id, version: head.version, model, ...asked.read(given, context) }
}

interface TaskQuestion {
  readonly model: string
  readonly content: { readonly system: string; readonly user: Content }
}

/** What a model says, as the object that it was asked for. Errors: as of `askModel`; `upstream_failed`. */
async function proposalOf(
  call: Call,
  upstream: Upstream,
  { model, content: { system, user } }: TaskQuestion,
): Promise<Json> {
  const body = {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    response_format: { type: 'json_object' },
  }
  const answer = await askModel(call, upstream, { path: 'chat/completions', body })
  const text = new TextDecoder().decode(answer.body ? await collect(answer.body) : undefined)
  if (answer.status !== 200)
    throw new QuireError('upstream_failed', `The upstream answered with the status ${answer.status}.`)
  const tokens = usageIn(text) ?? estimatedTokens(text.length + JSON.stringify(body).length)
  await spendTokens(call, upstream, tokens)
  return givenIn(text)
}

export { listProviders as providers }

/** Bytes of a token where nobody says how many there were: what English text takes. Others take fewer, and are counted too low by that. */
const tokenBytes = 4

interface Answered {
  readonly upstream: Upstream
  readonly question: Question
  readonly answer: ProxiedSource
}

/**
 * The same answer; the tokens that it used count against its caller's budget once it ends or is left. What the upstream does not tell is
 * estimated: who leaves before it is told saves nothing by that.
 */
function countingTokens(call: Call, { upstream, question, answer }: Answered): ProxiedSource {
  const { body } = answer
  if (!body) return answer
  const meter = createMeter(question)
  const spend = () => spendTokens(call, upstream, answer.status < 400 ? meter.tokens() : 0)
  return { ...answer, body: { [Symbol.asyncIterator]: () => metered(body, meter, spend) } }
}

function metered(body: Bytes, meter: Meter, spend: () => Promise<void>): AsyncIterator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  let spent: Promise<void> | undefined
  const end = () => (spent ??= spend())
  return {
    async next() {
      try {
        const step = await pieces.next()
        if (step.done) await end()
        else meter.take(step.value)
        return step
      } catch (error) {
        await end()
        throw error
      }
    },
    async return() {
      await pieces.return?.()
      await end()
      return { done: true, value: undefined }
    },
  }
}

/** Counts the tokens of an answer while it comes. */
interface Meter {
  take(piece: Uint8Array): void
  /** As the upstream told them so far, or estimated. */
  tokens(): number
}

function createMeter({ body, isStreamed }: Question): Meter {
  const decoder = new TextDecoder()
  let bytes = new TextEncoder().encode(JSON.stringify(body ?? null)).length
  let text = ''
  let reported: number | null = null
  const readLines = () => {
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines)
      reported = line.startsWith('data:') ? (usageIn(line.slice(5)) ?? reported) : reported
  }
  return {
    take(piece) {
      bytes += piece.length
      text += decoder.decode(piece, { stream: true })
      if (isStreamed) readLines()
    },
    tokens: () => reported ?? usageIn(text.replace(/^data:/, '')) ?? estimatedTokens(bytes),
  }
}

/** The tokens of so many bytes, where nobody tells. */
function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / tokenBytes)
}

/** The tokens that JSON says were used; null where it says nothing of it. */
export function usageIn(text: string): number | null {
  if (!text.includes('"usage"')) return null
  try {
    const given: Json = JSON.parse(text)
    const usage = isJsonObject(given) ? given['usage'] : null
    const total = isJsonObject(usage) ? usage['total_tokens'] : null
    return typeof total === 'number' && total >= 0 ? Math.ceil(total) : null
  } catch {
    return null
  }
}
