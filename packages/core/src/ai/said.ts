import { limits, QuireError } from '@quire/contract'
import { isJsonObject, type Json } from '../ports/index.ts'

/** The error for what a model said that is not what it was asked for. */
export function unusable(why: string): QuireError {
  return new QuireError('upstream_failed', `The language model answered ${why}.`)
}

/** The JSON that a model said in the answer to a chat. Errors: `upstream_failed`. */
export function saidIn(answer: string): Json {
  const body = jsonOf(answer)
  const [choice] = isJsonObject(body) && Array.isArray(body['choices']) ? body['choices'] : []
  const message = isJsonObject(choice) ? choice['message'] : null
  const content = isJsonObject(message) ? message['content'] : null
  if (typeof content !== 'string') throw unusable('nothing')
  if (content.length > limits.taskAnswer) throw unusable(`with more than ${limits.taskAnswer} characters`)
  // Models without a mode for JSON put a fence around it.
  const said = jsonOf(content.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''))
  if (said === undefined) throw unusable('with something else than JSON')
  return said
}

function jsonOf(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
