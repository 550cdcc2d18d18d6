import type { Contract, ParsedOf } from '@quire/contract'
import { requirePermission, type Call } from '../call/call.ts'
import { ServedPassed } from '../call/served-passed.ts'
import { askModel, findModelUpstream, type Question } from './model-upstream.ts'
import { countingTokens } from './usage.ts'

type Ai = Contract['ai']

/** What a language model says to a chat. Errors: `forbidden`, and those of `askModel`. */
export async function chat(call: Call, { accessId, ...body }: ParsedOf<Ai['chat']>): Promise<ServedPassed> {
  return passOn(call, accessId, { path: 'chat/completions', body, isStreamed: body.stream === true })
}

/** Vectors of texts. Errors: as of `chat`. */
export async function embeddings(
  call: Call,
  { accessId, ...body }: ParsedOf<Ai['embeddings']>,
): Promise<ServedPassed> {
  return passOn(call, accessId, { path: 'embeddings', body })
}

/** The models that an upstream has. Errors: as of `chat`. */
export async function models(call: Call, { accessId }: ParsedOf<Ai['models']>): Promise<ServedPassed> {
  return passOn(call, accessId, { path: 'models' })
}

async function passOn(call: Call, accessId: string, question: Question): Promise<ServedPassed> {
  requirePermission(call, 'ai.use')
  const upstream = await findModelUpstream(call, accessId)
  if (upstream.budget?.tokens === undefined || !question.body)
    return new ServedPassed(await askModel(call, upstream, question))
  const told = question.isStreamed ? { ...question, body: tellingUsage(question.body) } : question
  return new ServedPassed(
    countingTokens(call, { upstream, question: told, answer: await askModel(call, upstream, told) }),
  )
}

/** The same, asking for the tokens that a stream used, where nothing is said of it: streams tell them only when asked. */
function tellingUsage(body: object): object {
  const given: unknown = 'stream_options' in body ? body.stream_options : null
  const options = typeof given === 'object' ? given : {}
  return { ...body, stream_options: { include_usage: true, ...options } }
}
