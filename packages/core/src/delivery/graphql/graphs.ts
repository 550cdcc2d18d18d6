import { limits, type PermissionKey, type ContentType } from '@quire/contract'
import {
  GraphQLError,
  type DocumentNode,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  validateSchema,
  GraphQLSchema,
  GraphQLObjectType,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { type Call, remember } from '../../engine/call.ts'
import { type GraphContext } from './context.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { requireSimple } from './measure.ts'
import { fieldConfigs, type FieldTypes } from './field-types.ts'
import { itemFieldsIn, itemInterface, otherItemType, type GraphItem } from './item-interface.ts'
import { mutationType } from './mutation-type.ts'
import { namesOf } from './names.ts'
import { queryType, scopeArguments, type NamedType } from './query-type.ts'
import type { Stored } from '../../ports/index.ts'

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
export async function graphOf(call: Call, { id, settings }: Stored<'repository'>): Promise<Graph> {
  const { permissions } = call.identity
  const allowed = await remember(call, `graph-types:${id}`, async () => {
    const all = await call.store.records.list('type')
    return settings.allowedTypes.length === 0
      ? all
      : all.filter(({ name }) => settings.allowedTypes.includes(name))
  })
  const isKnown = (type: string) =>
    revealingKeys.some((key) => mayDo(permissions, key, { repositoryId: id, type }))
  return graphOfTypes(call, {
    types: allowed.filter(({ name }) => isKnown(name)),
    hasLocales: settings.locales !== undefined,
  })
}

/** Shares one graph among all callers and repositories with the same content types. */
function graphOfTypes(
  call: Call,
  { types, hasLocales }: { types: readonly Stored<'type'>[]; hasLocales: boolean },
): Promise<Graph> {
  const signature = [hasLocales, ...types.map(({ id, revision }) => `${id}.${revision}`)].join()
  // A change to other records clears `remember` but not the shared graphs.
  return remember(call, `graph:${signature}`, () =>
    call.shared.graphs(signature, async () => createGraph(buildSchema(types, hasLocales)), types.length + 1),
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

/**
 * Builds the schema of some content types (DESIGN "Search, queries, GraphQL"). Cost: grows with the
 * number of fields.
 */
function buildSchema(types: readonly ContentType[], hasLocales: boolean): GraphQLSchema {
  const names = namesOf(types)
  const itemFields = itemFieldsIn({ hasLocales })
  const memberNames = new Set(Object.keys(itemFields))
  const item = itemInterface(itemFields, (type) => names.get(type)?.object)
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
  const scope = scopeArguments(hasLocales)
  return new GraphQLSchema({
    query: queryType(namedTypes, item, scope),
    ...(namedTypes.length > 0 && { mutation: mutationType(namedTypes, scope) }),
    types: [...objects.values(), otherItemType(itemFields, item)],
  })
}
