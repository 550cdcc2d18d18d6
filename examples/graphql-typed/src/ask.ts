import type { Client } from '@quire/client'
import type { Document } from './document.ts'

/**
 * Sends a document with its variables and answers what it asks for.
 * Errors: AskError for what is in `errors`; QuireError for a request that was not taken.
 */
export type Ask = <R, V extends object>(document: Document<R, V>, variables: NoInfer<V>) => Promise<R>

/** Asks a repository, as the client. */
export function createAsk({ graphql }: Client, configId: string): Ask {
  return async <R, V extends object>(query: Document<R, V>, variables: NoInfer<V>) => {
    // The border of the generated types, which were made of the schema that the service answers by. All they have is JSON.
    const { data, errors } = await graphql.execute({ configId, query, variables: variables as Variables })
    if (errors) throw new AskError(errors)
    return data as R
  }
}

type Variables = NonNullable<Parameters<Client['graphql']['execute']>[0]['variables']>
type Errors = NonNullable<Awaited<ReturnType<Client['graphql']['execute']>>['errors']>

/** What was wrong with a document, or with what it asked. */
export class AskError extends Error {
  override readonly name = 'AskError'
  /** The code of the first that was wrong, as the other operations have it; undefined where the document itself is wrong. */
  readonly code: unknown

  constructor(errors: Errors) {
    super(errors.map(({ message }) => message).join(' '))
    this.code = errors[0]?.extensions?.['code']
  }
}
