import {
  QuireError,
  type GraphqlResult,
  errorTable,
  limits,
  type PermissionKey,
  type ContentType,
} from '@quire/contract'
import {
  execute,
  getOperationAST,
  GraphQLError,
  printSchema,
  type DocumentNode,
  type GraphQLFormattedError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  validateSchema,
  GraphQLSchema,
  GraphQLObjectType,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { notPermitted, type Call, remember } from '../../engine/call.ts'
import { createContext, type GraphContext, type ReadContext } from './context.ts'
import { requireOpenGraph } from './open.ts'
import { isRefusal, translateError } from '../../engine/errors.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { requireSimple } from './measure.ts'
import { fieldConfigs, type FieldTypes } from './field-types.ts'
import { itemFields, itemInterface, otherItemType, type GraphItem } from './item-interface.ts'
import { mutationType } from './mutation-type.ts'
import { namesOf } from './names.ts'
import { queryType, type NamedType } from './query-type.ts'
import type { Stored } from '../../ports/index.ts'

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
  const readContext = await context.openReadContext(undefined)
  try {
    return await resultOf(context, readContext, request)
  } catch (error) {
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
  const graph = await graphOf(call, readContext.scope.repository)
  const audience = isPublic ? 'public' : 'accounts'
  const variables = request.variables ?? {}
  const prepared = graph.prepare(request.query, { audience, variables })
  if (!('kind' in prepared)) return { errors: prepared.map((error) => errorOf(call, error)) }
  requireReadOnly(prepared, request)
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

/** Errors: `method_not_allowed` for a mutation in a read-only request. */
function requireReadOnly(document: DocumentNode, { isReadOnly, operationName }: Request): void {
  if (!isReadOnly) return
  const operation = getOperationAST(document, operationName)?.operation
  if (operation === 'mutation')
    throw new QuireError('method_not_allowed', 'Send mutations with POST.', { details: { allow: 'POST' } })
}

/**
 * The part of a repository's schema that the caller may know, as text. Errors: `not_found`,
 * `forbidden`.
 */
export async function schemaText(call: Call, configId: string): Promise<string> {
  const { scope, isPublic } = await createContext(call, { configId }).openReadContext(undefined)
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

/** A schema, with its cache of valid documents. */
interface Graph {
  readonly schema: GraphQLSchema
  /** Parses and validates a document. Returns the document, or its errors. */
  readonly prepare: (query: string, request: DocumentRequest) => DocumentNode | readonly GraphQLError[]
}

/** The audience and the variables of a document. */
interface DocumentRequest {
  readonly audience: Audience
  readonly variables: Readonly<Record<string, unknown>>
}

/** The public learns nothing about the schema (TRUST S20). */
type Audience = 'public' | 'accounts'

// Documents cached per schema. Programs send few different ones; documents written by hand are
// rarely sent twice.
const mostDocuments = 500

// Anyone who may create items of a type can learn its fields from REST validation errors.
const revealingKeys: readonly PermissionKey[] = ['items.read', 'items.create', 'admin.types.view']

/**
 * The graph of the content types that a repository allows and that the caller may know. Unknown
 * types and types that the caller may not read cannot be told apart (TRUST S03). A changed content
 * type gets a new graph; running executions keep the old one.
 */
async function graphOf(call: Call, { id, settings }: Stored<'repository'>): Promise<Graph> {
  const { permissions } = call.identity
  const allowed = await remember(call, `graph-types:${id}`, async () => {
    const all = await call.store.records.list('type')
    return settings.allowedTypes.length === 0
      ? all
      : all.filter(({ name }) => settings.allowedTypes.includes(name))
  })
  const isKnown = (type: string) =>
    revealingKeys.some((key) => mayDo(permissions, key, { repositoryId: id, type }))
  return graphOfTypes(
    call,
    allowed.filter(({ name }) => isKnown(name)),
  )
}

/** Shares one graph among all callers and repositories with the same content types. */
function graphOfTypes(call: Call, types: readonly Stored<'type'>[]): Promise<Graph> {
  const signature = types.map(({ id, revision }) => `${id}.${revision}`).join()
  // A change to other records clears `remember` but not the shared graphs.
  return remember(call, `graph:${signature}`, () =>
    call.shared.graphs(signature, async () => createGraph(buildSchema(types)), types.length + 1),
  )
}

function createGraph(schema: GraphQLSchema): Graph {
  const errors = validateSchema(schema)
  if (errors.length > 0) throw new Error(`The schema is not valid: ${errors.join(' ')}`)
  const documents = new LRUCache<string, DocumentNode>({ max: mostDocuments })
  return {
    schema,
    prepare(query, request) {
      const key = `${request.audience}:${query}`
      const existing = documents.get(key)
      // A valid document may still be too complex with other variables.
      if (existing) return orErrors(() => withinLimits(existing, request))
      const prepared = orErrors(() => parseAndValidate(schema, query, request))
      if ('kind' in prepared) documents.set(key, prepared)
      return prepared
    },
  }
}

/** Errors: GraphQLError for a document that is too complex. */
function withinLimits(document: DocumentNode, { variables }: DocumentRequest): DocumentNode {
  requireSimple(document, variables)
  return document
}

/** The result of `make`, or the GraphQLError it throws, as a list. */
function orErrors(make: () => DocumentNode | readonly GraphQLError[]) {
  try {
    return make()
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
}

/** Errors: GraphQLError for a syntax error or a document that is too complex. */
function parseAndValidate(
  schema: GraphQLSchema,
  query: string,
  { audience, variables }: DocumentRequest,
): DocumentNode | readonly GraphQLError[] {
  const document = parse(query, { maxTokens: limits.graphqlTokens })
  // Limits come first, because validation time is quadratic in the number of compared fields.
  requireSimple(document, variables)
  const hideSuggestions = audience === 'public'
  const rules = hideSuggestions ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
  const errors = validate(schema, document, rules, { maxErrors: 10, hideSuggestions })
  return errors.length > 0 ? errors : document
}

const memberNames: ReadonlySet<string> = new Set(Object.keys(itemFields))

/**
 * Builds the schema of some content types (DESIGN "Search, queries, GraphQL"). Cost: grows with the
 * number of fields.
 */
function buildSchema(types: readonly ContentType[]): GraphQLSchema {
  const names = namesOf(types)
  const item = itemInterface((type) => names.get(type)?.object)
  const objects = new Map<string, GraphQLObjectType>()
  const fieldTypes: FieldTypes = {
    created: new Map(),
    target([only, ...more]) {
      const one = only === undefined || more.length > 0 ? undefined : objects.get(only)
      return one ?? item
    },
  }
  const namedTypes = types.flatMap((type): NamedType[] => {
    const typeNames = names.get(type.name)
    if (!typeNames) return []
    const object = new GraphQLObjectType<GraphItem, GraphContext>({
      name: typeNames.object,
      description: type.description || undefined,
      interfaces: [item],
      fields: () => ({
        ...itemFields,
        ...fieldConfigs(fieldTypes, type.fields, {
          owner: typeNames.object,
          valuesOf: ({ fields, readContext }: GraphItem) => ({ values: fields ?? {}, readContext }),
          inUse: memberNames,
        }),
      }),
    })
    objects.set(type.name, object)
    return [{ type, names: typeNames, object }]
  })
  return new GraphQLSchema({
    query: queryType(namedTypes, item),
    ...(namedTypes.length > 0 && { mutation: mutationType(namedTypes) }),
    types: [...objects.values(), otherItemType(item)],
  })
}
