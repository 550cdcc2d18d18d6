import { QuireError, type GraphqlResult } from '@quire/contract'
import { expect } from 'vitest'
import type { Rest } from './graphql-rest.ts'
import { schemaOf, type Schema } from './graphql-schema.ts'
import type { GraphqlWorld, Caller } from './graphql-world.ts'
import { repository as configId } from './world-content.ts'

/** A principal of the world by its name. */
export function principalOf({ principals }: GraphqlWorld, name: string): Caller {
  return principals.find((one) => one.name === name) ?? expect.unreachable(`there is ${name}`)
}

/** The public is told no schema: it is asked for all that the administrator has. */
export function schemaFor(opened: GraphqlWorld, caller: Caller): Promise<Schema> {
  return schemaOf((caller.isPublic ? principalOf(opened, 'administrator') : caller).api)
}

/** Whether the line is there for the principal: a package is not for those who may not see packages. */
export function seesBranch({ name }: Pick<Caller, 'name'>, packageName: string | undefined): boolean {
  return packageName === undefined || ['administrator', 'editor of a package'].includes(name)
}

/** A document with what it is executed by. */
export interface GraphSender {
  readonly rest: Rest
  readonly query: string
}

type Variables = Parameters<Caller['api']['graphql']['execute']>[0]['variables']

/** What GraphQL answers to the field `it`: as `{ it }`, with the codes of its errors where there are some. */
export async function asked(
  { rest, query }: GraphSender,
  variables: Variables,
): Promise<{ it: unknown; codes?: string[] }> {
  const { caller, packageName } = rest
  const branch = packageName !== undefined && { packageName }
  const { data, errors } = await caller.api.graphql.execute({ configId, ...branch, query, variables })
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
