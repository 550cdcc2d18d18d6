import type { Field } from '@quire/contract'
import { isJsonObject } from '../../ports/index.ts'
import { mergedByValue, no, plain, type FieldRules, type GraphInput } from './rules.ts'

/** An object with fields of its own. */
export const group: FieldRules<'group'> = {
  ...plain,
  async check(value, { fields }, checkObject) {
    if (!isJsonObject(value)) return no('must be an object')
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

/** A group without fields is `{}`: GraphQL has no object type of which nothing can be asked. */
function graphOf(fields: readonly Field[]): GraphInput {
  return fields.length === 0 ? { as: 'value', type: 'JSON' } : { as: 'object', fields }
}
