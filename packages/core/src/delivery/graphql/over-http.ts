import { QuireError } from '@quire/contract'
import { GraphQLError } from 'graphql'
import { createHandler, type RequestParams } from 'graphql-http'
import { Serialized, type Answer, ServedGraphql } from '../../engine/answer.ts'

/** An execution, and the JSON of its result. */
interface Execution {
  readonly execute: () => Promise<Answer<unknown>>
  body?: string
}

// The contract has checked the request already, so graphql-http gets an empty one.
const noParameters: RequestParams = { query: '' }

// graphql-http negotiates the content type and chooses the status. The context has what to execute.
const handle = createHandler<null, Execution>({
  parseRequestParams: () => noParameters,
  async onSubscribe({ context }) {
    const answer = await context.execute()
    // graphql-http takes twice as long to serialize, because it looks for errors in every value.
    context.body = answer instanceof Serialized ? answer.text : JSON.stringify(answer)
    return outcomeOf(context.body)
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
  if (context.body === undefined) throw notAcceptable()
  return new ServedGraphql({ status: answer.status, headers: answer.headers ?? {}, body: context.body })
}

function notAcceptable(): QuireError {
  const sent = 'Send Accept: application/graphql-response+json or application/json.'
  return new QuireError('not_acceptable', sent)
}

/**
 * A result that gives graphql-http the status to send: errors without data mean that nothing was
 * executed.
 */
function outcomeOf(body: string) {
  return body.startsWith('{"data":') ? { data: null } : [new GraphQLError('The document was not executed.')]
}
