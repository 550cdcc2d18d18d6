import type { Field } from '@quire/contract'
import { isJsonObject } from '../../ports/index.ts'
import { mergedByValue, reject, plain, type FieldRules, type GraphInput } from './rules.ts'

/** A field that holds an object with its own fields. */
export const group: FieldRules<'group'> = {
  ...plain,
  async check(value, { fields }, checkObject) {
    if (!isJsonObject(value)) return reject('must be an object')
    const { values, issues } = await checkObject(fields, value)
    return { value: values, issues }
  },
  comparison: null,
  canBeUnique: false,
  members: ({ fields }) => fields,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  graphql: {
    output: ({ fields }) => graphOf(fields),
    input: ({ fields }) => graphOf(fields),
    hasNullEntries: false,
  },
}

/**
 * A group without fields is typed as JSON: GraphQL does not allow an object type without fields.
 */
function graphOf(fields: readonly Field[]): GraphInput {
  return fields.length === 0 ? { as: 'value', type: 'JSON' } : { as: 'object', fields }
}
