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
import { contextOf, type GraphContext, type ReadContext, requireOpenGraph } from './context.ts'
import { isRefusal, translateError } from '../../engine/errors.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { requireModest } from './measure.ts'
import { fieldConfigs, type FieldTypes } from './field-types.ts'
import { itemFields, itemInterface, otherItemType, type GraphItem } from './item-interface.ts'
import { mutationType } from './mutation-type.ts'
import { namesOf } from './names.ts'
import { queryType, type NamedType } from './query-type.ts'
import type { Stored } from '../../ports/index.ts'

/** A document that is to be executed. */
interface Request {
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
function formatted({ environment, requestId }: Call, error: GraphQLError): GraphQLFormattedError {
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
function bareValues(values: Readonly<Record<string, unknown>>): { readonly [name: string]: unknown } {
  const bare: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(values)) bare[name] = bareValue(value)
  return bare
}

function bareValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareValue)
  return typeof value === 'object' && value !== null ? bareValues({ ...value }) : value
}

/** The schema of a repository, and documents that were found to be right for it. */
interface Graph {
  readonly schema: GraphQLSchema
  /** A document that can be executed, or what is wrong with it. */
  readonly prepare: (query: string, asking: DocumentRequest) => DocumentNode | readonly GraphQLError[]
}

/** By whom, and with what, a document is sent. */
interface DocumentRequest {
  readonly audience: Audience
  readonly variables: Readonly<Record<string, unknown>>
}

/** Who reads as everybody does learns nothing of the schema (TRUST S20). */
type Audience = 'anybody' | 'accounts'

// Documents of one schema. Those of a program are few; what is written by hand is not asked twice.
const mostDocuments = 500

// Who may create items of a type is told by REST what is wrong with their fields.
const revealingKeys: readonly PermissionKey[] = ['items.read', 'items.create', 'admin.types.view']

/**
 * The graph of the content types that a repository allows and that the caller may know of, as they are now: what is unknown and what one
 * may not read are named alike (TRUST S03). It is built anew when a record of them changes; who executes goes on with the one that there
 * was.
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

/** One graph for all who may know of the same types, and for all repositories that allow the same. */
function graphOfTypes(call: Call, types: readonly Stored<'type'>[]): Promise<Graph> {
  const signature = types.map(({ id, revision }) => `${id}.${revision}`).join()
  // A change of other records leaves the schema that there is.
  return remember(call, `graph:${signature}`, () =>
    call.shared.graphs(signature, async () => createGraph(buildSchema(types)), types.length + 1),
  )
}

function createGraph(schema: GraphQLSchema): Graph {
  const wrong = validateSchema(schema)
  if (wrong.length > 0) throw new Error(`The schema is not valid: ${wrong.join(' ')}`)
  const known = new LRUCache<string, DocumentNode>({ max: mostDocuments })
  return {
    schema,
    prepare(query, asking) {
      const key = `${asking.audience}:${query}`
      const existing = known.get(key)
      // What is known to be right may ask too much with other variables.
      if (existing) return orErrors(() => modest(existing, asking))
      const prepared = orErrors(() => checked(schema, query, asking))
      if ('kind' in prepared) known.set(key, prepared)
      return prepared
    },
  }
}

/** Errors: GraphQLError. */
function modest(document: DocumentNode, { variables }: DocumentRequest): DocumentNode {
  requireModest(document, variables)
  return document
}

/** What it makes, or what is wrong with the document. */
function orErrors(make: () => DocumentNode | readonly GraphQLError[]) {
  try {
    return make()
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
}

/** Errors: GraphQLError. */
function checked(
  schema: GraphQLSchema,
  query: string,
  { audience, variables }: DocumentRequest,
): DocumentNode | readonly GraphQLError[] {
  const document = parse(query, { maxTokens: limits.graphqlTokens })
  // First: rules of validation take the square of the fields that they compare.
  requireModest(document, variables)
  const hideSuggestions = audience === 'anybody'
  const rules = hideSuggestions ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules
  const errors = validate(schema, document, rules, { maxErrors: 10, hideSuggestions })
  return errors.length > 0 ? errors : document
}

const memberNames: ReadonlySet<string> = new Set(Object.keys(itemFields))

/** The schema of some content types (DESIGN "Search, queries, GraphQL"). Cost: grows with the number of fields. */
function buildSchema(types: readonly ContentType[]): GraphQLSchema {
  const names = namesOf(types)
  const item = itemInterface((type) => names.get(type)?.object)
  const objects = new Map<string, GraphQLObjectType>()
  const fieldTypes: FieldTypes = {
    made: new Map(),
    target([only, ...more]) {
      const one = only === undefined || more.length > 0 ? undefined : objects.get(only)
      return one ?? item
    },
  }
  const located = types.flatMap((type): NamedType[] => {
    const named = names.get(type.name)
    if (!named) return []
    const object = new GraphQLObjectType<GraphItem, GraphContext>({
      name: named.object,
      description: type.description || undefined,
      interfaces: [item],
      fields: () => ({
        ...itemFields,
        ...fieldConfigs(fieldTypes, type.fields, {
          owner: named.object,
          valuesOf: ({ fields, reading }: GraphItem) => ({ values: fields ?? {}, reading }),
          inUse: memberNames,
        }),
      }),
    })
    objects.set(type.name, object)
    return [{ type, names: named, object }]
  })
  return new GraphQLSchema({
    query: queryType(located, item),
    ...(located.length > 0 && { mutation: mutationType(located) }),
    types: [...objects.values(), otherItemType(item)],
  })
}
