import { jsonSchemaProblem, schemaProblem } from '@quire/contract'
import { graphType, mergedAsWhole, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds any JSON, or JSON that matches the JSON Schema in its settings. */
export const json: FieldRules<'json'> = {
  ...plain,
  settingsIssues({ schema }) {
    const problem = schema && schemaProblem(schema)
    return problem ? [{ path: 'schema', message: problem }] : []
  },
  check(value, { schema }) {
    const problem = schema && jsonSchemaProblem(schema, value)
    return problem ? reject(problem) : accept(value)
  },
  comparison: null,
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedAsWhole,
  graphql: { ...graphType('JSON'), hasNullEntries: true },
}
