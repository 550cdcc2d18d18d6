import type { ContentType } from '@quire/contract'
import { GraphQLObjectType, GraphQLSchema } from 'graphql'
import type { GraphContext } from './context.ts'
import { fieldConfigs, type FieldTypes } from './field-types.ts'
import { itemFields, itemInterface, otherItemType, type GraphItem } from './item-interface.ts'
import { mutationType } from './mutation-type.ts'
import { namesOf } from './names.ts'
import { queryType, type PlacedType } from './query-type.ts'

const memberNames: ReadonlySet<string> = new Set(Object.keys(itemFields))

/** The schema of some content types (DESIGN "Search, queries, GraphQL"). Cost: grows with the number of fields. */
export function buildSchema(types: readonly ContentType[]): GraphQLSchema {
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
  const placed = types.flatMap((type): PlacedType[] => {
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
          taken: memberNames,
        }),
      }),
    })
    objects.set(type.name, object)
    return [{ type, names: named, object }]
  })
  return new GraphQLSchema({
    query: queryType(placed, item),
    ...(placed.length > 0 && { mutation: mutationType(placed) }),
    types: [...objects.values(), otherItemType(item)],
  })
}
