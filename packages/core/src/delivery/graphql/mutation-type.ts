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
import type { GraphContext } from './context.ts'
import { fieldsInput, sentValues } from './inputs.ts'
import type { GraphItem } from './item-interface.ts'
import { upperFirst } from './names.ts'
import { onPackage, type NamedType } from './query-type.ts'

type Mutation = GraphQLFieldConfig<unknown, GraphContext>

const ids = new GraphQLList(new GraphQLNonNull(GraphQLID))
const onItem = { id: { type: new GraphQLNonNull(GraphQLID) }, ...onPackage }

/** What can be changed of items: the same operations as everywhere. */
export function mutationType(located: readonly NamedType[]): GraphQLObjectType {
  return new GraphQLObjectType({
    name: 'Mutation',
    fields: Object.fromEntries(located.flatMap(mutationsOf)),
  })
}

const states = ['publish', 'unpublish', 'archive', 'unarchive'] as const

function mutationsOf(located: NamedType): [string, Mutation][] {
  const { type, names } = located
  const named = upperFirst(names.one)
  const fields = type.fields.length === 0 ? null : fieldsInput(`${names.object}_Fields`, type.fields)
  const changing = states.map((setState): [string, Mutation] => [
    `${setState}${named}`,
    changed(located, setState),
  ])
  return [
    [`create${named}`, created(located, inputOf(`${names.object}_Input`, fields, { isNew: true }))],
    [`update${named}`, updated(located, inputOf(`${names.object}_Changes`, fields, { isNew: false }))],
    [`delete${named}`, deleted(type)],
    ...changing,
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
        description: 'The version that was read: what others changed since is kept',
      },
    }),
  }
  return new GraphQLInputObjectType({ name, fields: members })
}

interface Changed {
  readonly input: {
    readonly fields?: { readonly [name: string]: Json } | null
    readonly [name: string]: unknown
  }
  readonly id: string
  readonly package?: string | null
}

function created({ type, object }: NamedType, input: GraphQLInputObjectType): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { input: { type: new GraphQLNonNull(input) }, ...onPackage },
    resolve: async (_root, args: Changed, context) => {
      const given = {
        repositoryId: context.configId,
        type: type.name,
        ...sent(type, args),
        ...branchOf(args, context),
      }
      return answered(context, args, await done(context, 'create', given))
    },
  }
}

function updated({ type, object }: NamedType, input: GraphQLInputObjectType): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { ...onItem, input: { type: new GraphQLNonNull(input) } },
    resolve: async (_root, args: Changed, context) => {
      const given = { ...(await itemOf(type, args, context)), ...sent(type, args) }
      return answered(context, args, await done(context, 'update', given))
    },
  }
}

function deleted(type: ContentType): Mutation {
  return {
    type: new GraphQLNonNull(GraphQLBoolean),
    args: onItem,
    async resolve(_root, args: Changed, context) {
      const given = await itemOf(type, args, context)
      await done(context, 'delete', given)
      return true
    },
  }
}

function changed({ type, object }: NamedType, setState: (typeof states)[number]): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: onItem,
    async resolve(_root, args: Changed, context) {
      const given = await itemOf(type, args, context)
      return answered(context, args, await done(context, setState, given))
    },
  }
}

/** An operation on items as anybody calls it. Errors: those of the operation. */
async function done(
  { call }: GraphContext,
  operation: keyof Contract['items'],
  given: { readonly [name: string]: unknown },
): Promise<unknown> {
  await requireRoomFor(call.environment.store, contract.items[operation], given)
  return valueOf(await call.invoke(`items.${operation}`, given))
}

function sent(
  type: ContentType,
  { input: { fields, ...members } }: Changed,
): { readonly [name: string]: unknown } {
  const given = Object.entries(members).filter(([name, value]) => value !== null || name === 'folderId')
  return { ...Object.fromEntries(given), ...(fields && { fields: sentValues(type.fields, fields) }) }
}

function branchOf({ package: named }: Changed, { packageName }: GraphContext): { packageName?: string } {
  const name = named ?? packageName
  return name === undefined ? {} : { packageName: name }
}

/** What names an item to an operation. Errors: `unauthorized`; `not_found` also for an item of another type, which the mutation is not of. */
async function itemOf(
  type: ContentType,
  args: Changed,
  context: GraphContext,
): Promise<{ readonly [name: string]: unknown }> {
  requireSomebody(context.call)
  const { call, scope } = await context.reading(args.package)
  const head = await findItem(call, scope, args.id)
  if (head.type !== type.name) throw noSuchItem()
  return { configId: context.configId, id: args.id, ...branchOf(args, context) }
}

/** Errors: `unauthorized`. */
function requireSomebody({ identity }: Call): void {
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
}

async function answered(context: GraphContext, args: Changed, item: unknown): Promise<GraphItem> {
  const reading = await context.reading(args.package)
  reading.items.clearAll()
  // Operations on items answer items.
  return { ...(item as GraphItem), reading }
}
