import { contract, QuireError, type ContentType, type Endpoint } from '@quire/contract'
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
import { valueOf, type Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { checkInput } from '../call/check-input.ts'
import { findItem, noSuchItem } from '../items/find.ts'
import { items } from '../items/index.ts'
import type { Json } from '../ports/index.ts'
import type { GraphContext } from './context.ts'
import { fieldsInput, sentValues } from './field-inputs.ts'
import type { GraphItem } from './item-interface.ts'
import { upperFirst } from './names.ts'
import { onPackage, type PlacedType } from './query-type.ts'

type Mutation = GraphQLFieldConfig<unknown, GraphContext>

const ids = new GraphQLList(new GraphQLNonNull(GraphQLID))
const onItem = { id: { type: new GraphQLNonNull(GraphQLID) }, ...onPackage }

/** What can be changed of items: the same operations as everywhere. */
export function mutationType(placed: readonly PlacedType[]): GraphQLObjectType {
  return new GraphQLObjectType({
    name: 'Mutation',
    fields: Object.fromEntries(placed.flatMap(mutationsOf)),
  })
}

const marks = {
  publish: items.publish,
  unpublish: items.unpublish,
  archive: items.archive,
  unarchive: items.unarchive,
} as const

function mutationsOf(placed: PlacedType): [string, Mutation][] {
  const { type, names } = placed
  const named = upperFirst(names.one)
  const fields = type.fields.length === 0 ? null : fieldsInput(`${names.object}_Fields`, type.fields)
  const marking = Object.keys(marks).map((mark): [string, Mutation] => [
    `${mark}${named}`,
    marked(placed, mark as keyof typeof marks),
  ])
  return [
    [`create${named}`, created(placed, inputOf(`${names.object}_Input`, fields, { isNew: true }))],
    [`update${named}`, updated(placed, inputOf(`${names.object}_Changes`, fields, { isNew: false }))],
    [`delete${named}`, deleted(type)],
    ...marking,
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

function created({ type, object }: PlacedType, input: GraphQLInputObjectType): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { input: { type: new GraphQLNonNull(input) }, ...onPackage },
    resolve: async (_root, args: Changed, context) => {
      const given = {
        repositoryId: context.configId,
        type: type.name,
        ...sent(type, args),
        ...lineOf(args, context),
      }
      return shown(
        context,
        args,
        await done(context, contract.items.create, { operation: items.create, given }),
      )
    },
  }
}

function updated({ type, object }: PlacedType, input: GraphQLInputObjectType): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: { ...onItem, input: { type: new GraphQLNonNull(input) } },
    resolve: async (_root, args: Changed, context) => {
      const given = { ...(await itemOf(type, args, context)), ...sent(type, args) }
      return shown(
        context,
        args,
        await done(context, contract.items.update, { operation: items.update, given }),
      )
    },
  }
}

function deleted(type: ContentType): Mutation {
  return {
    type: new GraphQLNonNull(GraphQLBoolean),
    args: onItem,
    async resolve(_root, args: Changed, context) {
      const given = await itemOf(type, args, context)
      await done(context, contract.items.delete, { operation: items.delete, given })
      return true
    },
  }
}

function marked({ type, object }: PlacedType, mark: keyof typeof marks): Mutation {
  return {
    type: new GraphQLNonNull(object),
    args: onItem,
    async resolve(_root, args: Changed, context) {
      const given = await itemOf(type, args, context)
      return shown(
        context,
        args,
        await done(context, contract.items[mark], { operation: marks[mark], given }),
      )
    },
  }
}

/** An operation as anybody calls it: its input is checked first. Errors: `unauthorized` for nobody in particular, as everywhere. */
async function done<O>(
  { call }: GraphContext,
  endpoint: Endpoint,
  { operation, given }: { operation: (call: Call, input: never) => Promise<Answer<O>>; given: object },
): Promise<O> {
  requireSomebody(call)
  // What the endpoint's schema gives is what its operation takes.
  return valueOf(await operation(call, checkInput(endpoint, given) as never))
}

function sent(type: ContentType, { input: { fields, ...members } }: Changed): object {
  const given = Object.entries(members).filter(([name, value]) => value !== null || name === 'folderId')
  return { ...Object.fromEntries(given), ...(fields && { fields: sentValues(type.fields, fields) }) }
}

function lineOf({ package: named }: Changed, { packageName }: GraphContext): { packageName?: string } {
  const name = named ?? packageName
  return name === undefined ? {} : { packageName: name }
}

/** What names an item to an operation. Errors: `unauthorized`; `not_found` also for an item of another type, which the mutation is not of. */
async function itemOf(type: ContentType, args: Changed, context: GraphContext): Promise<object> {
  requireSomebody(context.call)
  const { call, place } = await context.reading(args.package)
  const head = await findItem(call, place, args.id)
  if (head.type !== type.name) throw noSuchItem()
  return { configId: context.configId, id: args.id, ...lineOf(args, context) }
}

/** Errors: `unauthorized`. */
function requireSomebody({ identity }: Call): void {
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
}

async function shown(context: GraphContext, args: Changed, item: unknown): Promise<GraphItem> {
  const reading = await context.reading(args.package)
  reading.items.clearAll()
  // Operations on items answer items.
  return { ...(item as GraphItem), reading }
}
