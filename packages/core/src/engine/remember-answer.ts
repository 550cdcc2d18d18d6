import { Serialized, type Answer } from './answer.ts'
import { AnswerTags } from './cache-tags/answer-tags.ts'
import type { KnownAnswer } from './answer-memo.ts'
import type { Call } from './call.ts'
import type { OperationName } from './operation-name.ts'
import type { Commits } from '../ports/index.ts'
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
  { key, commits }: Remembering,
  answer: (call: Call) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  const { shared } = call
  const found = await current(call, { key, commits })
  if (found) {
    call.cacheTags?.addAll(found.tags)
    describeCall(call.trace, found.attributes)
    return found.answer
  }
  const before = commits.latest()
  const tags = new AnswerTags()
  const attributes: Attributes = {}
  const made = await answer({ ...call, cacheTags: tags, trace: withCopy(call.trace, attributes) })
  call.cacheTags?.addAll(tags)
  const serialized = made instanceof Serialized ? made : new Serialized(JSON.stringify(made), null)
  if (tags.isRefused) return serialized
  // The caller does not wait for this.
  const remember = () => {
    if (commits.latest() === before)
      shared.answers.since(before).set(key, { answer: serialized, tags, attributes })
  }
  shared.afterwards(commits.catchUp().then(remember, () => undefined))
  return serialized
}

interface Remembering {
  readonly key: string
  readonly commits: Commits
}

/** The answer that was remembered, if nothing was committed since. */
async function current({ shared }: Call, { key, commits }: Remembering): Promise<KnownAnswer | undefined> {
  if (!shared.answers.since(commits.latest()).has(key)) return undefined
  await commits.catchUp()
  return shared.answers.since(commits.latest()).get(key)
}

/** What stands for the caller in a key. An identity is resolved anew only after a commit. */
function callerOf({ identity }: Call): object {
  return identity.kind === 'system' ? identity.permissions : identity
}
