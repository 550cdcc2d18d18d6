import type { Client } from '@quire/client'
import type { Document } from './document.ts'

/**
 * Sends a document with its variables and returns its data. Errors: AskError for an answer with
 * `errors`; QuireError for a rejected request.
 */
export type Ask = <R, V extends object>(document: Document<R, V>, variables: NoInfer<V>) => Promise<R>

/** Creates a function that queries a repository through the client. */
export function createAsk({ graphql }: Client, configId: string): Ask {
  return async <R, V extends object>(query: Document<R, V>, variables: NoInfer<V>) => {
    // The border of the generated types: they were derived from the schema of the service, and all
    // their values are JSON.
    const { data, errors } = await graphql.execute({ configId, query, variables: variables as Variables })
    if (errors) throw new AskError(errors)
    return data as R
  }
}

type Variables = NonNullable<Parameters<Client['graphql']['execute']>[0]['variables']>
type Errors = NonNullable<Awaited<ReturnType<Client['graphql']['execute']>>['errors']>

/** An answer with errors: the document is invalid, or a part of it failed. */
export class AskError extends Error {
  override readonly name = 'AskError'
  /**
   * The code of the first error, like those of the other operations; undefined if the document
   * itself is invalid.
   */
  readonly code: unknown

  constructor(errors: Errors) {
    super(errors.map(({ message }) => message).join(' '))
    this.code = errors[0]?.extensions?.['code']
  }
}
