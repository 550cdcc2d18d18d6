import { isJsonObject } from '../../ports/index.ts'
import { mergedAsWhole, reject, plain, type FieldRules } from './rules.ts'

/**
 * A field that holds a block: an object whose `type` names the variant that defines its other
 * fields.
 */
export const union: FieldRules<'union'> = {
  ...plain,
  async check(value, { variants }, checkObject) {
    const { type, ...rest } = isJsonObject(value) ? value : {}
    const variant = variants.find(({ name }) => name === type)
    if (!variant) {
      const names = variants.map(({ name }) => name).join(', ')
      return reject(`must be an object whose type is one of ${names}`)
    }
    const { values, issues } = await checkObject(variant.fields, rest)
    return { value: { type: variant.name, ...values }, issues }
  },
  comparison: null,
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedAsWhole,
  graphql: {
    output: ({ variants }) => ({ as: 'block', variants }),
    input: ({ variants }) => ({ as: 'block', variants }),
    hasNullEntries: false,
  },
}
