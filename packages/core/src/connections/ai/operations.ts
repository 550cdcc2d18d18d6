import { type Contract, type OutputOf, type ParsedOf, QuireError, type AiProposal } from '@quire/contract'
import { knownMembers, type Upstream, spendTokens } from '../access/upstream.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { pageOf, collect } from '../../engine/paging.ts'
import {
  modelType,
  askModel,
  findModelUpstream,
  type Question,
  readModelJson,
  missing,
  type TaskInput,
  tasks,
  type Content,
} from './tasks.ts'
import { invalid } from '../../engine/check-input.ts'
import { ServedProxied, type ProxiedSource } from '../../engine/served-proxied.ts'
import { savingOf } from './translate.ts'
import { findItem } from '../../content/items/find.ts'
import { findScope } from '../../engine/scope.ts'
import { type Json, isJsonObject, type Bytes } from '../../ports/index.ts'

type List = Contract['ai']['providers']

/** The access configurations of language models, without their URLs. Errors: `forbidden`. */
async function listProviders(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const stored = await call.store.records.list('accessConfiguration')
  const providers = stored.flatMap(({ id, name, type, members }) => {
    const { baseUrl, model = null } = knownMembers({ name, type }, members)
    return type === modelType && baseUrl !== undefined ? [{ id, name, model }] : []
  })
  return pageOf(providers, input)
}

type Ai = Contract['ai']

/**
 * Sends a chat to a language model. Errors: `forbidden`; `invalid` if neither the chat nor the
 * configuration names a model; those of `askModel`.
 */
export async function chat(call: Call, { accessId, ...body }: ParsedOf<Ai['chat']>): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'chat/completions', body, isStreamed: body.stream === true })
}

/** Gets vectors of texts. Errors: those of `chat`. */
export async function embeddings(
  call: Call,
  { accessId, ...body }: ParsedOf<Ai['embeddings']>,
): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'embeddings', body })
}

/** Lists the models of an upstream. Errors: those of `chat`. */
export async function models(call: Call, { accessId }: ParsedOf<Ai['models']>): Promise<ServedProxied> {
  return proxyRequest(call, accessId, { path: 'models' })
}

async function proxyRequest(call: Call, accessId: string, question: Question): Promise<ServedProxied> {
  const upstream = await findModelUpstream(call, accessId)
  if (!question.body) return new ServedProxied(await askModel(call, upstream, question))
  const complete = { ...question, body: withModel(question.body, upstream.model) }
  if (upstream.budget?.tokens === undefined)
    return new ServedProxied(await askModel(call, upstream, complete))
  const metered = complete.isStreamed ? { ...complete, body: withUsage(complete.body) } : complete
  return new ServedProxied(
    meterAnswer(call, { upstream, question: metered, answer: await askModel(call, upstream, metered) }),
  )
}

/** Adds the default model if the body names none. Errors: `invalid` if there is no default. */
function withModel(body: { model?: unknown }, model: string | null): object {
  if (body.model !== undefined) return body
  if (model === null)
    throw invalid([
      { path: 'model', message: 'is required, because the access configuration has no default' },
    ])
  return { ...body, model }
}

/**
 * Requests the number of used tokens, unless the caller chose otherwise: streams report it only on
 * request.
 */
function withUsage(body: object): object {
  const given: unknown = 'stream_options' in body ? body.stream_options : null
  const options = typeof given === 'object' ? given : {}
  return { ...body, stream_options: { include_usage: true, ...options } }
}

/**
 * Asks a language model for a proposal about an item that the caller may read. Nothing is saved, except
 * for a translation into a package.
 * Errors: `forbidden`, `not_found`; `invalid` for a missing member; `invalid_state` if the task
 * needs a picture and the item has none, or nothing is to be translated; `too_large` for more content
 * than a model gets; those of `savingOf` and `askModel`; `upstream_failed` also for an answer that is
 * not a proposal.
 */
export async function task(call: Call, input: TaskInput): Promise<AiProposal> {
  const { repositoryId, packageName, itemId, accessId } = input
  const scope = await findScope(call, { configId: repositoryId, packageName })
  requirePermission(call, 'ai.use', { repositoryId: scope.branch.repositoryId })
  const head = await findItem(call, scope, itemId)
  const upstream = await findModelUpstream(call, accessId)
  const model = input.model ?? upstream.model ?? missing('model')
  const task = tasks[input.task]
  const { content, context } = await task.ask(call, { scope, head, input })
  const save = await savingOf(call, { scope, head, input })
  const given = await askForJson(call, upstream, { model, content })
  const proposal = task.read(given, context)
  const about = { task: input.task, itemId: head.id, version: head.version, model }
  return { ...about, ...proposal, ...(save && { savedVersion: await save(proposal.fields ?? {}) }) }
}

interface TaskQuestion {
  readonly model: string
  readonly content: { readonly system: string; readonly user: Content }
}

/**
 * Asks a model and returns the JSON of its answer. Errors: those of `askModel`; `upstream_failed`
 * for any other answer.
 */
async function askForJson(
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
  return readModelJson(text)
}

export { listProviders as providers }

/**
 * Bytes per token, to estimate tokens that were not reported. This fits English; other languages
 * have fewer bytes per token, so that their tokens are underestimated.
 */
const tokenBytes = 4

interface MeteredAnswer {
  readonly upstream: Upstream
  readonly question: Question
  readonly answer: ProxiedSource
}

/**
 * Counts the tokens of an answer against the caller's budget when the answer ends or its reader
 * stops. If the upstream did not report them, they are estimated, so that a reader cannot avoid the
 * count by stopping early.
 */
function meterAnswer(call: Call, { upstream, question, answer }: MeteredAnswer): ProxiedSource {
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
        else meter.add(step.value)
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

/** Counts the tokens of an answer while it is streamed. */
interface Meter {
  add(piece: Uint8Array): void
  /** As reported by the upstream so far, or estimated. */
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
    add(piece) {
      bytes += piece.length
      text += decoder.decode(piece, { stream: true })
      if (isStreamed) readLines()
    },
    tokens: () => reported ?? usageIn(text.replace(/^data:/, '')) ?? estimatedTokens(bytes),
  }
}

function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / tokenBytes)
}

/** The total tokens in the `usage` of a JSON answer; null if there are none. */
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
