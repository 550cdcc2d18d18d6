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
import { createContext, type GraphContext, type ReadContext } from './context.ts'
import { requireOpenGraph } from './open.ts'
import { isRefusal, translateError } from '../../engine/errors.ts'
import { graphOf } from './graphs.ts'

/** A document to execute. */
interface Request {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
  readonly operationName?: string | null | undefined
  /** Whether mutations are refused. */
  readonly isReadOnly: boolean
}

/**
 * Executes a document as the caller. Errors in the document and of its operations are in `errors`.
 * Errors: `not_found`, `forbidden`; `unauthorized` for anonymous callers, unless the repository is
 * open to the public.
 */
export async function executeGraphql(call: Call, request: Request): Promise<GraphqlResult> {
  const context = createContext(call, request)
  await requireOpenGraph(call, request)
  const readContext = await context.openReadContext({})
  try {
    const result = await resultOf(context, readContext, request)
    if (result.errors) call.cacheTags?.refuse()
    return result
  } catch (error) {
    call.cacheTags?.refuse()
    if (error instanceof GraphQLError) return { errors: [errorOf(call, error)] }
    throw error
  }
}

async function resultOf(
  context: GraphContext,
  readContext: ReadContext,
  request: Request,
): Promise<GraphqlResult> {
  const { call, isPublic } = readContext
  call.cacheTags?.also('types')
  call.cacheTags?.also('graphql')
  const graph = await graphOf(call, readContext.scope.repository)
  const audience = isPublic ? 'public' : 'accounts'
  const variables = request.variables ?? {}
  const prepared = graph.prepare(request.query, { audience, variables })
  if (!('kind' in prepared)) return { errors: prepared.map((error) => errorOf(call, error)) }
  permitMutation(call, prepared, request)
  const { data, errors } = await execute({
    schema: graph.schema,
    document: prepared,
    contextValue: context,
    variableValues: withoutPrototypes(variables),
    operationName: request.operationName,
    hideSuggestions: isPublic,
  })
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: errors.map((error) => errorOf(call, error)) }),
  }
}

function errorOf(call: Call, error: GraphQLError): NonNullable<GraphqlResult['errors']>[number] {
  const { message, locations, path, extensions } = formatError(call, error)
  return {
    message,
    ...(locations && { locations: locations.map((one) => ({ ...one })) }),
    ...(path && { path: [...path] }),
    ...(extensions && { extensions: { ...extensions } }),
  }
}

/**
 * Lets a mutation run each time that it is sent. Errors: `method_not_allowed` for one in a read-only
 * request.
 */
function permitMutation(
  { cacheTags }: Call,
  document: DocumentNode,
  { isReadOnly, operationName }: Request,
): void {
  if (getOperationAST(document, operationName)?.operation !== 'mutation') return
  cacheTags?.refuse()
  if (isReadOnly)
    throw new QuireError('method_not_allowed', 'Send mutations with POST.', { details: { allow: 'POST' } })
}

/**
 * The part of a repository's schema that the caller may know, as text. Errors: `not_found`,
 * `forbidden`.
 */
export async function schemaText(call: Call, configId: string): Promise<string> {
  const { scope, isPublic } = await createContext(call, { configId }).openReadContext({})
  if (isPublic) throw notPermitted(['graphql.query'])
  const { schema } = await graphOf(call, scope.repository)
  return `${printSchema(schema)}\n`
}

/** Formats an error for the response. An error without a code of ours does not reveal its cause. */
function formatError({ environment, requestId }: Call, error: GraphQLError): GraphQLFormattedError {
  const { originalError, locations, path } = error
  // Errors of GraphQL itself, such as a syntax error or an unknown field, have no code.
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

/**
 * Copies values into objects without a prototype: for a variable without a member `toString`,
 * graphql would read the inherited one.
 */
function withoutPrototypes(values: Readonly<Record<string, unknown>>): { readonly [name: string]: unknown } {
  const bare: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(values)) bare[name] = withoutPrototype(value)
  return bare
}

function withoutPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototype)
  return typeof value === 'object' && value !== null ? withoutPrototypes({ ...value }) : value
}
