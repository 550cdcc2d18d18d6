import type { HttpAnswer } from '../server/connection.ts'
import type { FuzzOperation } from './operations.ts'

/** A request with its answer. */
export interface Answered {
  /** Undefined for what was no well-formed request. */
  readonly operation: FuzzOperation | undefined
  readonly method: string
  readonly answer: HttpAnswer
}

/** What is wrong with an answer; undefined when it is as it must be, however bad the request was. */
export function fault({ operation, method, answer }: Answered): string | undefined {
  const { status } = answer
  if (status === 503) return faultOfError(answer)
  if (status >= 500) return `status ${status}`
  if (method === 'HEAD' || status === 204 || status === 304) return undefined
  if (status >= 400) return isTokenPath(operation) ? faultOfTokenError(answer) : faultOfError(answer)
  if (!operation || method !== operation.method) return undefined
  return faultOfSuccess(operation, answer)
}

function isTokenPath(operation: FuzzOperation | undefined): boolean {
  return operation?.id === 'auth.token'
}

function faultOfError(answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (body === undefined) return `status ${answer.status} with a body that is not JSON`
  const { error, message, code, requestId } = body
  const isRight = error === true && isText(message) && isText(code) && isText(requestId)
  return isRight ? undefined : `status ${answer.status} without { error: true, message, code, requestId }`
}

function faultOfTokenError(answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (isText(body?.['error'])) return undefined
  return faultOfError(answer) && `status ${answer.status} without { error }`
}

function faultOfSuccess({ endpoint }: FuzzOperation, answer: HttpAnswer): string | undefined {
  const body = parsed(answer)
  if (body === undefined) return `status ${answer.status} with a body that is not JSON`
  const { error } = endpoint.output.safeParse(body)
  const [issue] = error?.issues ?? []
  return issue && `the answer does not fit its schema: ${issue.path.join('.')}: ${issue.message}`
}

/** The body as an object; undefined when it is none. */
export function parsed({ body }: HttpAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}
