import type { Api, GraphqlResult } from '@quire/contract'
import { expect } from 'vitest'

type Variables = Parameters<Api['graphql']['execute']>[0]['variables']

/** The context in which a document is executed. */
export interface Sender {
  readonly configId?: string
  readonly packageName?: string
  readonly variables?: Variables
}

/** The result of a document, by default executed on the magazine. */
export function resultOf(
  api: Api,
  query: string,
  { configId = 'magazine', packageName, variables }: Sender = {},
): Promise<GraphqlResult> {
  return api.graphql.execute({
    configId,
    query,
    ...(packageName !== undefined && { packageName }),
    ...(variables && { variables }),
  })
}

/** The data of a document that has no errors. */
export async function dataOf(api: Api, query: string, asking?: Sender): Promise<Record<string, unknown>> {
  const { data, errors } = await resultOf(api, query, asking)
  expect(errors).toBeUndefined()
  return data ?? expect.unreachable('there is data where there are no errors')
}

/** The error codes of a document, in order. */
export async function codesOf(api: Api, query: string, asking?: Sender): Promise<unknown[]> {
  const { errors = [] } = await resultOf(api, query, asking)
  return errors.map(({ extensions, message }) => extensions?.['code'] ?? message)
}
