import { QuireError, type AiProposal } from '@quire/contract'
import { spendTokens } from '../access-configurations/budget.ts'
import type { Upstream } from '../access-configurations/upstream.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { collect } from '../call/collect.ts'
import { findItem } from '../items/find.ts'
import { findPlace } from '../lines/lines.ts'
import type { Json } from '../ports/index.ts'
import { askModel, findModelUpstream } from './model-upstream.ts'
import { saidIn } from './said.ts'
import { missing, type TaskInput } from './subject.ts'
import { tasks, type Content } from './tasks.ts'
import { estimatedTokens, usageIn } from './usage.ts'

/**
 * What a language model proposes for an item that the caller may read. Nothing is saved.
 * Errors: `forbidden`, `not_found`; `invalid` for a member that the task needs; `invalid_state` for a picture of an item that has none; `too_large` for
 * more than a model is shown; those of `askModel`; `upstream_failed` also for an answer that is no proposal.
 */
export async function task(call: Call, input: TaskInput): Promise<AiProposal> {
  const { repositoryId, packageName, itemId, accessId } = input
  const place = await findPlace(call, { configId: repositoryId, packageName })
  requirePermission(call, 'ai.use', { repositoryId: place.line.repositoryId })
  const head = await findItem(call, place, itemId)
  const upstream = await findModelUpstream(call, accessId)
  const model = input.model ?? upstream.model ?? missing('model')
  const asked = tasks[input.task]
  const { content, context } = await asked.ask(call, { place, head, input })
  const said = await proposalOf(call, upstream, { model, content })
  return { task: input.task, itemId: head.id, version: head.version, model, ...asked.read(said, context) }
}

interface Asked {
  readonly model: string
  readonly content: { readonly system: string; readonly user: Content }
}

/** What a model says, as the object that it was asked for. Errors: as of `askModel`; `upstream_failed`. */
async function proposalOf(
  call: Call,
  upstream: Upstream,
  { model, content: { system, user } }: Asked,
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
  return saidIn(text)
}
