import type { Answer, ServedGraphql } from '../../engine/answer.ts'
import { loadOnce } from './names.ts'

// Loaded on first use, so that a process that never uses GraphQL does not pay for it.
const loadOverHttp = loadOnce(() => import('./over-http.ts'))

/**
 * Executes for a transport and responds as `Accept` asks (GraphQL over HTTP 6): `application/json`
 * with 200 for every well-formed request, or `application/graphql-response+json` with 400 for a
 * document that was not executed. Executes nothing when the client accepts neither.
 * Errors: those of `execute`; `not_acceptable`.
 */
export async function answerGraphql(
  accept: string | null | undefined,
  execute: () => Promise<Answer<unknown>>,
): Promise<ServedGraphql> {
  const { respond } = await loadOverHttp()
  return respond(accept, execute)
}
