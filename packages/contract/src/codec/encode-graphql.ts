import type { NamedEndpoint } from '../contract.ts'
import { encodeAnswer, type Reply, type ReplyContext } from './encode-answer.ts'

/**
 * The response of a GraphQL endpoint: the reply from GraphQL over HTTP, with the headers of every
 * response.
 */
export function encodeGraphql(named: NamedEndpoint, answered: Reply, context: ReplyContext): Reply {
  const { headers } = encodeAnswer(named, { value: undefined }, context)
  const isDone = answered.status === 200
  return {
    ...answered,
    headers: {
      ...headers,
      ...(!isDone && { 'cache-control': 'no-store' }),
      vary: 'Authorization, Cookie, Accept',
      ...answered.headers,
    },
  }
}
