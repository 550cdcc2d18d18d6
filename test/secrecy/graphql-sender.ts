import { QuireError, type GraphqlResult } from '@quire/contract'
import { expect } from 'vitest'
import type { Rest } from './graphql-rest.ts'
import { schemaOf, type Schema } from './graphql-schema.ts'
import type { GraphqlWorld, Caller } from './graphql-world.ts'
import { repository as configId } from './world-content.ts'

/** A principal of the world by name. */
export function principalOf({ principals }: GraphqlWorld, name: string): Caller {
  return principals.find((one) => one.name === name) ?? expect.unreachable(`there is no ${name}`)
}

/** Public callers get no schema, so they send what the administrator's schema allows. */
export function schemaFor(opened: GraphqlWorld, caller: Caller): Promise<Schema> {
  return schemaOf((caller.isPublic ? principalOf(opened, 'administrator') : caller).api)
}

/** Whether the branch exists for the principal. Packages do not, for those who may not see them. */
export function seesBranch({ name }: Pick<Caller, 'name'>, packageName: string | undefined): boolean {
  return packageName === undefined || ['administrator', 'editor of a package'].includes(name)
}

/** A document with the context of its execution. */
export interface GraphSender {
  readonly rest: Rest
  readonly query: string
}

type Variables = Parameters<Caller['api']['graphql']['execute']>[0]['variables']

/**
 * The answer of GraphQL in the field `it`: as `{ it }`, with the codes of errors if there are any.
 */
export async function asked(
  { rest, query }: GraphSender,
  variables: Variables,
): Promise<{ it: unknown; codes?: string[] }> {
  const { caller, packageName } = rest
  const branch = packageName !== undefined && { packageName }
  const { data, errors } = await caller.api.graphql.execute({ configId, ...branch, query, variables })
  return errors ? { it: data?.['it'] ?? null, codes: codesOf(errors) } : { it: data?.['it'] }
}

/** The codes of errors, or their messages if they have none. */
export function codesOf(errors: GraphqlResult['errors']): string[] {
  return (errors ?? []).map(({ extensions, message }) => {
    const code = extensions?.['code']
    return typeof code === 'string' ? code : message
  })
}

/** The result of a REST operation, or the code of its error. */
export async function orCode<T extends object>(
  read: () => Promise<T>,
): Promise<T | { readonly code: string }> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return { code: error.code }
    throw error
  }
}

/** Unexpected answers, each with its question. */
export function differenceOf(what: unknown, expected: object, answer: unknown): object[] {
  try {
    expect(answer).toEqual(expected)
    return []
  } catch {
    return [{ what, expected, answer }]
  }
}

/** Capitalizes a name. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
