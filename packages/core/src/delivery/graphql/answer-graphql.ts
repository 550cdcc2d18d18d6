import type { Answer } from '../../engine/answer.ts'
import type { ServedGraphql } from '../../engine/answer.ts'
import { lazily } from './names.ts'

// Loaded with the first: a start that answers none pays nothing for it.
const overHttp = lazily(() => import('./over-http.ts'))

/**
 * Executes for a door and answers as `Accept` says (GraphQL over HTTP 6): `application/json` with 200 for every well-formed request, or
 * `application/graphql-response+json` with 400 for a document that was not executed. Nothing is executed for whoever takes neither.
 * Errors: those of `execute`; `not_acceptable`.
 */
export async function answerGraphql(
  accept: string | null | undefined,
  execute: () => Promise<Answer<unknown>>,
): Promise<ServedGraphql> {
  const { replyTo } = await overHttp()
  return replyTo(accept, execute)
}
