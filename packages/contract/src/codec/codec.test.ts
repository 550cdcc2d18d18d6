import { describe, expect, it } from 'vitest'
import { endpoints } from '../contract.ts'
import {
  createPathMatcher,
  decodeBody,
  decodeInput,
  encodeRequest,
  parseQuery,
  type EncodedRequest,
} from './index.ts'
import type { Endpoint } from '../endpoint.ts'

/** The input that arrives, as a server reads it from the request line and the body. */
function receive(endpoint: Endpoint, request: EncodedRequest): Record<string, unknown> {
  const [path = '', query = ''] = request.path.split('?')
  const params = createPathMatcher(endpoint)(path) ?? {}
  const body = request.body === undefined ? undefined : decodeBody(endpoint, request.body)
  return decodeInput(endpoint, { params, query: parseQuery(query), body })
}

describe.each(endpoints)('$group.$operation', ({ endpoint }) => {
  it('takes its example over the wire', () => {
    const parsed = endpoint.input.parse(endpoint.example.input)
    const arrived = receive(endpoint, encodeRequest(endpoint, parsed))
    expect(endpoint.input.parse(arrived)).toEqual(parsed)
  })
})
