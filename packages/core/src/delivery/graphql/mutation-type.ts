import { contract, QuireError, type ContentType, type Contract } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
} from 'graphql'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { requireRoomFor } from '../../engine/room.ts'
import { findItem, noSuchItem } from '../../content/items/find.ts'
import type { Json } from '../../ports/index.ts'
import { callIn, type GraphContext, type ScopeArguments } from './context.ts'
import { fieldsInput, sentValues } from './inputs.ts'
import type { GraphItem } from './item-interface.ts'
import { upperFirst } from './names.ts'
import { type NamedType, type ScopeFields } from './query-type.ts'

type Mutation = GraphQLFieldConfig<unknown, GraphContext>

const ids = new GraphQLList(new GraphQLNonNull(GraphQLID))
const itemArgument = { id: { type: new GraphQLNonNull(GraphQLID) } }

/** Creates the mutation type. Mutations call the operations on items. */
export function mutationType(types: readonly NamedType[], scope: ScopeFields): GraphQLObjectType {
  return new GraphQLObjectType({
    name: 'Mutation',
    fields: Object.fromEntries(types.flatMap((type) => mutationsOf(type, scope))),
  })
}

const states = ['publish', 'unpublish', 'archive', 'unarchive'] as const

function mutationsOf(namedType: NamedType, scope: ScopeFields): [string, Mutation][] {
  const { type, names } = namedType
  const named = upperFirst(names.one)
  const fields = type.fields.length === 0 ? null : fieldsInput(`${names.object}_Fields`, type.fields)
  const stateChanges = states.map((setState): [string, Mutation] => [
    `${setState}${named}`,
    stateMutation(namedType, setState, scope),
  ])
  return [
    [
      `create${named}`,
      createMutation(namedType, inputOf(`${names.object}_Input`, fields, { isNew: true }), scope),
    ],
    [
      `update${named}`,
      updateMutation(namedType, inputOf(`${names.object}_Changes`, fields, { isNew: false }), scope),
    ],
    [`delete${named}`, deleteMutation(type, scope)],
    ...stateChanges,
  ]
}

function inputOf(
  name: string,
  fields: GraphQLInputObjectType | null,
  { isNew }: { isNew: boolean },
): GraphQLInputObjectType {
  const members: Record<string, GraphQLInputFieldConfig> = {
    name: { type: isNew ? new GraphQLNonNull(GraphQLString) : GraphQLString },
    slug: { type: GraphQLString },
    description: { type: GraphQLString },
    folderId: { type: GraphQLID },
    categories: { type: ids },
    readPerm: { type: ids },
    writePerm: { type: ids },
    deletePerm: { type: ids },
    ...(fields && { fields: { type: fields } }),
    ...(!isNew && {
      baseVersion: {
        type: GraphQLInt,
        description: 'The version that the changes are based on: changes by others since then are kept',
      },
    }),
  }
  return new GraphQLInputObjectType({ name, fields: members })
}

interface MutationArguments extends ScopeArguments {
  readonly input: {
    readonly fields?: { readonly [name: string]: Json } | null
    readonly [name: string]: unknown
  }
  readonly id: string
}

function createMutation(
  { type, object }: NamedType,
  input: GraphQLInputObjectType,
  scope: ScopeFields,
): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { input: { type: new GraphQLNonNull(input) }, ...scope },
    resolve: async (_root, args: MutationArguments, context) => {
      const given = {
        repositoryId: context.configId,
        type: type.name,
        ...sentMembers(type, args),
        ...branchOf(args, context),
      }
      return changedItem(context, args, await callOperation(callIn(context.call, args), 'create', given))
    },
  }
}

function updateMutation(
  { type, object }: NamedType,
  input: GraphQLInputObjectType,
  scope: ScopeFields,
): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { ...itemArgument, ...scope, input: { type: new GraphQLNonNull(input) } },
    resolve: async (_root, args: MutationArguments, context) => {
      const given = { ...(await itemOf(type, args, context)), ...sentMembers(type, args) }
      return changedItem(context, args, await callOperation(callIn(context.call, args), 'update', given))
    },
  }
}

function deleteMutation(type: ContentType, scope: ScopeFields): Mutation {
  return {
    type: new GraphQLNonNull(GraphQLBoolean),
    args: { ...itemArgument, ...scope },
    async resolve(_root, args: MutationArguments, context) {
      const given = await itemOf(type, args, context)
      await callOperation(callIn(context.call, args), 'delete', given)
      return true
    },
  }
}

const localesArgument = {
  locales: {
    type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
    description: 'The locales to publish in, or to unpublish. Default: all. `locale` is that of the answer',
  },
}

interface StateArguments extends MutationArguments {
  readonly locales?: readonly string[] | null
}

function stateMutation(
  { type, object }: NamedType,
  setState: (typeof states)[number],
  scope: ScopeFields,
): Mutation {
  const isByLocale = 'locale' in scope && (setState === 'publish' || setState === 'unpublish')
  return {
    type: new GraphQLNonNull(object),
    args: { ...itemArgument, ...scope, ...(isByLocale && localesArgument) },
    async resolve(_root, args: StateArguments, context) {
      const { locales } = args
      const given = { ...(await itemOf(type, args, context)), ...(locales && { locales }) }
      return changedItem(context, args, await callOperation(callIn(context.call, args), setState, given))
    },
  }
}

/** Calls an operation on items. Errors: those of the operation. */
async function callOperation(
  call: Call,
  operation: keyof Contract['items'],
  given: { readonly [name: string]: unknown },
): Promise<unknown> {
  await requireRoomFor(call.environment.store, contract.items[operation], given)
  return valueOf(await call.invoke(`items.${operation}`, given))
}

function sentMembers(
  type: ContentType,
  { input: { fields, ...members } }: MutationArguments,
): { readonly [name: string]: unknown } {
  const given = Object.entries(members).filter(([name, value]) => value !== null || name === 'folderId')
  return { ...Object.fromEntries(given), ...(fields && { fields: sentValues(type.fields, fields) }) }
}

function branchOf(
  { package: named }: MutationArguments,
  { packageName }: GraphContext,
): { packageName?: string } {
  const name = named ?? packageName
  return name === undefined ? {} : { packageName: name }
}

/**
 * The input members that name the item. Errors: `unauthorized`; `not_found`, also for an item of
 * another type.
 */
async function itemOf(
  type: ContentType,
  args: MutationArguments,
  context: GraphContext,
): Promise<{ readonly [name: string]: unknown }> {
  requireSignedIn(context.call)
  const { call, scope } = await context.openReadContext(args)
  const head = await findItem(call, scope, args.id)
  if (head.type !== type.name) throw noSuchItem()
  return { configId: context.configId, id: args.id, ...branchOf(args, context) }
}

/** Errors: `unauthorized` for anonymous callers. */
function requireSignedIn({ identity }: Call): void {
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
}

async function changedItem(
  context: GraphContext,
  args: MutationArguments,
  item: unknown,
): Promise<GraphItem> {
  const readContext = await context.openReadContext(args)
  readContext.items.clearAll()
  // Operations on items return items.
  return { ...(item as GraphItem), readContext }
}
