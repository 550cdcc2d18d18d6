import { QuireError, type GraphqlResult } from '@quire/contract'
import { execute, getOperationAST, GraphQLError, printSchema, type DocumentNode } from 'graphql'
import { notPermitted, type Call } from '../call/call.ts'
import { bareValues } from './bare-values.ts'
import { contextOf, type GraphContext, type Reading } from './context.ts'
import { formatted } from './errors.ts'
import { graphOf } from './graphs.ts'

/** A document that is to be executed. */
export interface Request {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
  readonly operationName?: string | null | undefined
  /** Whether it may change something. */
  readonly isReadOnly: boolean
}

/**
 * Executes a document as the caller. What is wrong with it, and with what it asks, is in `errors`.
 * Errors: `not_found`, `forbidden`; `unauthorized` for nobody in particular, unless the repository is open to everybody.
 */
export async function executeGraphql(call: Call, request: Request): Promise<GraphqlResult> {
  const context = contextOf(call, request)
  const reading = await context.reading(undefined)
  requireOpen(call, reading)
  try {
    return await resultOf(context, reading, request)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [errorOf(call, error)] }
    throw error
  }
}

/** Errors: `unauthorized`. */
function requireOpen({ identity }: Call, { place }: Reading): void {
  if (identity.kind === 'anonymous' && !place.repository.settings.graphql.public)
    throw new QuireError('unauthorized')
}

async function resultOf(context: GraphContext, reading: Reading, request: Request): Promise<GraphqlResult> {
  const { call, isPublic } = reading
  const graph = await graphOf(call, reading.place.repository)
  const audience = isPublic ? 'anybody' : 'accounts'
  const variables = request.variables ?? {}
  const prepared = graph.prepare(request.query, { audience, variables })
  if (!('kind' in prepared)) return { errors: prepared.map((error) => errorOf(call, error)) }
  requireReadOnly(prepared, request)
  const { data, errors } = await execute({
    schema: graph.schema,
    document: prepared,
    contextValue: context,
    variableValues: bareValues(variables),
    operationName: request.operationName,
    hideSuggestions: isPublic,
  })
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: errors.map((error) => errorOf(call, error)) }),
  }
}

function errorOf(call: Call, error: GraphQLError): NonNullable<GraphqlResult['errors']>[number] {
  const { message, locations, path, extensions } = formatted(call, error)
  return {
    message,
    ...(locations && { locations: locations.map((one) => ({ ...one })) }),
    ...(path && { path: [...path] }),
    ...(extensions && { extensions: { ...extensions } }),
  }
}

/** Errors: `method_not_allowed` for an operation that changes something where that may not be. */
function requireReadOnly(document: DocumentNode, { isReadOnly, operationName }: Request): void {
  if (!isReadOnly) return
  const operation = getOperationAST(document, operationName)?.operation
  if (operation === 'mutation')
    throw new QuireError('method_not_allowed', 'A mutation is sent by POST.', { details: { allow: 'POST' } })
}

/** The schema of a repository as the caller may know it, as text. Errors: `not_found`, `forbidden`. */
export async function schemaText(call: Call, configId: string): Promise<string> {
  const { place, isPublic } = await contextOf(call, { configId }).reading(undefined)
  if (isPublic) throw notPermitted(['graphql.query'])
  const { schema } = await graphOf(call, place.repository)
  return `${printSchema(schema)}\n`
}
