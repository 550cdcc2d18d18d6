import { jsonSchemaProblem, schemaProblem } from '@quire/contract'
import { graphType, mergedAsWhole, no, ok, plain, type FieldRules } from './rules.ts'

/** Any JSON, or what a JSON Schema takes. */
export const json: FieldRules<'json'> = {
  ...plain,
  settingsIssues({ schema }) {
    const problem = schema && schemaProblem(schema)
    return problem ? [{ path: 'schema', message: problem }] : []
  },
  check(value, { schema }) {
    const problem = schema && jsonSchemaProblem(schema, value)
    return problem ? no(problem) : ok(value)
  },
  comparison: null,
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedAsWhole,
  graphql: { ...graphType('JSON'), hasNullEntries: true },
}
