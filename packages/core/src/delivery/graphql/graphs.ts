import { limits, type PermissionKey, type ContentType } from '@quire/contract'
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  validateSchema,
  type DocumentNode,
  GraphQLSchema,
  GraphQLObjectType,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { mayDo } from '../../engine/access/permissions.ts'
import { remember, type Call } from '../../engine/call.ts'
import type { Stored } from '../../ports/index.ts'
import { requireModest } from './measure.ts'
import type { GraphContext } from './context.ts'
import { fieldConfigs, type FieldTypes } from './field-types.ts'
import { itemFields, itemInterface, otherItemType, type GraphItem } from './item-interface.ts'
import { mutationType } from './mutation-type.ts'
import { namesOf } from './names.ts'
import { queryType, type NamedType } from './query-type.ts'

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
