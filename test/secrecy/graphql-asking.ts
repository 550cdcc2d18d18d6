import { QuireError, type GraphqlResult } from '@quire/contract'
import { expect } from 'vitest'
import type { Rest } from './graphql-rest.ts'
import { schemaOf, type Schema } from './graphql-schema.ts'
import type { GraphqlWorld, Principal } from './graphql-world.ts'
import { repository as configId } from './world-content.ts'

/** A principal of the world by its name. */
export function principalOf({ principals }: GraphqlWorld, name: string): Principal {
  return principals.find((one) => one.name === name) ?? expect.unreachable(`there is ${name}`)
}

/** The public is told no schema: it is asked for all that the administrator has. */
export function schemaFor(opened: GraphqlWorld, principal: Principal): Promise<Schema> {
  return schemaOf((principal.isPublic ? principalOf(opened, 'administrator') : principal).api)
}

/** Whether the line is there for the principal: a package is not for those who may not see packages. */
export function seesLine({ name }: Pick<Principal, 'name'>, packageName: string | undefined): boolean {
  return packageName === undefined || ['administrator', 'editor of a package'].includes(name)
}

/** A document with what it is executed by. */
export interface Asking {
  readonly rest: Rest
  readonly query: string
}

type Variables = Parameters<Principal['api']['graphql']['execute']>[0]['variables']

/** What GraphQL answers to the field `it`: as `{ it }`, with the codes of its errors where there are some. */
export async function asked(
  { rest, query }: Asking,
  variables: Variables,
): Promise<{ it: unknown; codes?: string[] }> {
  const { principal, packageName } = rest
  const line = packageName !== undefined && { packageName }
  const { data, errors } = await principal.api.graphql.execute({ configId, ...line, query, variables })
  return errors ? { it: data?.['it'] ?? null, codes: codesOf(errors) } : { it: data?.['it'] }
}

/** The codes of errors; their messages where they have none. */
export function codesOf(errors: GraphqlResult['errors']): string[] {
  return (errors ?? []).map(({ extensions, message }) => {
    const code = extensions?.['code']
    return typeof code === 'string' ? code : message
  })
}

/** What an operation of REST gives, or the code that it refuses with. */
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

/** What is not as it was expected, with what was asked. */
export function differenceOf(what: unknown, expected: object, answer: unknown): object[] {
  try {
    expect(answer).toEqual(expected)
    return []
  } catch {
    return [{ what, expected, answer }]
  }
}

/** A name with a capital letter. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
