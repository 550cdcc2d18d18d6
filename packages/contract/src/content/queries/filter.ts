import { z } from 'zod'
import { FilterOperators, scalar } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** A filter as it is sent. */
export interface QueryFilterInput {
  readonly [name: string]:
    | string
    | number
    | boolean
    | null
    | z.input<typeof FilterOperators>
    | QueryFilterInput
    | readonly QueryFilterInput[]
}

/** A parsed filter: values are text, and the field's kind decides how they are compared. */
export interface QueryFilter {
  readonly [name: string]:
    | string
    | null
    | z.output<typeof FilterOperators>
    | QueryFilter
    | readonly QueryFilter[]
}

const inner: z.ZodType<QueryFilter, QueryFilterInput> = z.lazy(() => QueryFilter)

/**
 * Conditions by field, and `and`, `or` and `not`: `{ status: 'published', or: [{ … }, { … }], not:
 * { … } }`.
 */
export const QueryFilter: z.ZodType<QueryFilter, QueryFilterInput> = z
  .record(
    z.string().max(limits.id),
    z.union([scalar, z.null(), FilterOperators, inner, z.array(inner).max(limits.filterConditions)]),
  )
  .meta({
    id: 'QueryFilter',
    description:
      'Conditions by field, all of which must hold: a value, null for an absent value, or operators. `and` and `or` take lists of filters, `not` takes one filter',
  })
