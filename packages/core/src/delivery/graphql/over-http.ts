import { QuireError, type GraphqlResult } from '@quire/contract'
import { GraphQLError } from 'graphql'
import { createHandler, type RequestParams } from 'graphql-http'
import { valueOf, type Answer } from '../../engine/answer.ts'
import { ServedGraphql } from '../../engine/answer.ts'

/** What is to be executed, and what came of it. */
interface Execution {
  readonly execute: () => Promise<Answer<unknown>>
  result?: GraphqlResult
}

// The contract checks what was sent, here as in process.
const checked: RequestParams = { query: '' }

// It negotiates and says the status. What is executed comes with each request.
const handle = createHandler<null, Execution>({
  parseRequestParams: () => checked,
  async onSubscribe({ context }) {
    context.result = valueOf(await context.execute()) as GraphqlResult
    return outcomeOf(context.result)
  },
})

/** Executes and answers as the caller takes it (GraphQL over HTTP). Errors: those of `execute`; `not_acceptable`. */
export async function replyTo(
  accept: string | null | undefined,
  execute: () => Promise<Answer<unknown>>,
): Promise<ServedGraphql> {
  const context: Execution = { execute }
  const headers = { accept: accept ?? undefined }
  const [, answer] = await handle({ method: 'POST', url: '', headers, body: null, raw: null, context })
  if (!context.result) throw notAcceptable()
  // The text is ours: that of graphql-http takes twice as long, by a function that looks for errors in every value.
  const body = JSON.stringify(context.result)
  return new ServedGraphql({ status: answer.status, headers: answer.headers ?? {}, body })
}

function notAcceptable(): QuireError {
  const sent = 'Send Accept: application/graphql-response+json or application/json.'
  return new QuireError('not_acceptable', sent)
}

/** What graphql-http says the status by: errors alone stand for a request that was not executed. */
function outcomeOf({ data }: GraphqlResult) {
  return data === undefined ? [new GraphQLError('It was not executed.')] : { data: null }
}
