import { spendTokens } from '../access/budget.ts'
import type { Upstream } from '../access/upstream.ts'
import type { Call } from '../../engine/call.ts'
import type { ProxiedSource } from '../../engine/served-proxied.ts'
import { isJsonObject, type Bytes, type Json } from '../../ports/index.ts'
import type { Question } from './model-upstream.ts'

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
export function countingTokens(call: Call, { upstream, question, answer }: Answered): ProxiedSource {
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
export function estimatedTokens(bytes: number): number {
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
