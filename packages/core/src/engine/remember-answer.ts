import { Serialized, type Answer } from './answer.ts'
import { AnswerTags } from './cache-tags/answer-tags.ts'
import type { Call } from './call.ts'
import type { OperationName } from './operation-name.ts'
import { describeCall, withCopy, type Attributes } from './trace.ts'

/**
 * Reads whose answer follows from the caller's permissions, the input and the committed entities and
 * records alone, and costs much more than looking it up. The few whose answer also depends on
 * something else refuse their cache tags.
 */
const remembered: ReadonlySet<OperationName> = new Set<OperationName>([
  'items.list',
  'graphql.query',
  'graphql.execute',
  'published.items',
  'published.item',
  'published.itemBySlug',
])

/**
 * The answer of a read on the committed store: the one that the same caller got since the last
 * commit, or a new one.
 */
export function rememberAnswer(
  call: Call,
  { name, input }: { readonly name: OperationName; readonly input: object },
  answer: (call: Call) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const { commits } = call.environment.store
  if (!commits || !remembered.has(name)) return answer(call)
  const key = `${name} ${call.shared.answers.numberOf(callerOf(call))} ${JSON.stringify(input)}`
  return answerOf(call, { key, commits }, answer)
}

async function answerOf(
  call: Call,
  { key, commits }: { readonly key: string; readonly commits: () => number },
  answer: (call: Call) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const before = commits()
  const known = call.shared.answers.since(before)
  const found = known.get(key)
  if (found) {
    call.cacheTags?.addAll(found.tags)
    describeCall(call.trace, found.attributes)
    return found.answer
  }
  const tags = new AnswerTags()
  const attributes: Attributes = {}
  const made = await answer({ ...call, cacheTags: tags, trace: withCopy(call.trace, attributes) })
  call.cacheTags?.addAll(tags)
  const serialized = made instanceof Serialized ? made : new Serialized(JSON.stringify(made), null)
  if (!tags.isRefused && commits() === before) known.set(key, { answer: serialized, tags, attributes })
  return serialized
}

/** What stands for the caller in a key. An identity is resolved anew only after a commit. */
function callerOf({ identity }: Call): object {
  return identity.kind === 'system' ? identity.permissions : identity
}
