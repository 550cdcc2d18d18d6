import { QuireError, type GraphqlResult } from '@quire/contract'
import { GraphQLError } from 'graphql'
import { createHandler, type RequestParams } from 'graphql-http'
import { valueOf, type Answer, ServedGraphql } from '../../engine/answer.ts'

/** An execution and its result. */
interface Execution {
  readonly execute: () => Promise<Answer<unknown>>
  result?: GraphqlResult
}

// The contract has checked the request already, so graphql-http gets an empty one.
const noParameters: RequestParams = { query: '' }

// graphql-http negotiates the content type and chooses the status. The context has what to execute.
const handle = createHandler<null, Execution>({
  parseRequestParams: () => noParameters,
  async onSubscribe({ context }) {
    context.result = valueOf(await context.execute()) as GraphqlResult
    return outcomeOf(context.result)
  },
})

/**
 * Executes, and responds as `Accept` asks (GraphQL over HTTP). Errors: those of `execute`;
 * `not_acceptable`.
 */
export async function respond(
  accept: string | null | undefined,
  execute: () => Promise<Answer<unknown>>,
): Promise<ServedGraphql> {
  const context: Execution = { execute }
  const headers = { accept: accept ?? undefined }
  const [, answer] = await handle({ method: 'POST', url: '', headers, body: null, raw: null, context })
  if (!context.result) throw notAcceptable()
  // graphql-http takes twice as long to serialize, because it looks for errors in every value.
  const body = JSON.stringify(context.result)
  return new ServedGraphql({ status: answer.status, headers: answer.headers ?? {}, body })
}

function notAcceptable(): QuireError {
  const sent = 'Send Accept: application/graphql-response+json or application/json.'
  return new QuireError('not_acceptable', sent)
}

/**
 * A result that gives graphql-http the status to send: errors without data mean that nothing was
 * executed.
 */
function outcomeOf({ data }: GraphqlResult) {
  return data === undefined ? [new GraphQLError('The document was not executed.')] : { data: null }
}
