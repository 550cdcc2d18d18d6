import { QuireError, type GraphqlResult, errorTable } from '@quire/contract'
import {
  execute,
  getOperationAST,
  GraphQLError,
  printSchema,
  type DocumentNode,
  type GraphQLFormattedError,
} from 'graphql'
import { notPermitted, type Call } from '../../engine/call.ts'
import { contextOf, type GraphContext, type ReadContext } from './context.ts'
import { graphOf } from './graphs.ts'
import { requireOpenGraph } from './open.ts'
import { isRefusal, translateError } from '../../engine/errors.ts'

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
  await requireOpenGraph(call, request)
  const reading = await context.reading(undefined)
  try {
    return await resultOf(context, reading, request)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [errorOf(call, error)] }
    throw error
  }
}

async function resultOf(
  context: GraphContext,
  reading: ReadContext,
  request: Request,
): Promise<GraphqlResult> {
  const { call, isPublic } = reading
  const graph = await graphOf(call, reading.scope.repository)
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
  const { scope, isPublic } = await contextOf(call, { configId }).reading(undefined)
  if (isPublic) throw notPermitted(['graphql.query'])
  const { schema } = await graphOf(call, scope.repository)
  return `${printSchema(schema)}\n`
}

/** An error as it is answered: of an operation with its code, of anything else without what it says. */
export function formatted({ environment, requestId }: Call, error: GraphQLError): GraphQLFormattedError {
  const { originalError, locations, path } = error
  // What GraphQL itself refuses, as a document that cannot be read or asks for what is not there, has no code of its own.
  if (!originalError || originalError instanceof GraphQLError)
    return { ...error.toJSON(), extensions: { code: 'invalid', ...error.extensions } }
  const known = translateError(originalError, requestId)
  const where = { ...(locations && { locations }), ...(path && { path }) }
  if (!(known instanceof QuireError)) return { message: known.message, ...where }
  if (!isRefusal(known))
    environment.log.write('error', 'graphql.failed', { requestId, cause: String(originalError.stack) })
  return {
    message: known.message || errorTable[known.code].message,
    ...where,
    extensions: extensionsOf(known),
  }
}

function extensionsOf({ code, issues, conflicts, details }: QuireError): Record<string, unknown> {
  return { code, ...(issues && { issues }), ...(conflicts && { conflicts }), ...(details && { details }) }
}

/** The same values without what every object inherits: graphql reads a member `toString` of a variable that has none from there. */
export function bareValues(values: Readonly<Record<string, unknown>>): { readonly [name: string]: unknown } {
  const bare: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(values)) bare[name] = bareValue(value)
  return bare
}

function bareValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareValue)
  return typeof value === 'object' && value !== null ? bareValues({ ...value }) : value
}
