import { z } from 'zod'

/** One error of an execution (GraphQL specification 7.1.2). */
export const GraphqlError = z
  .object({
    message: z.string(),
    locations: z.array(z.object({ line: z.int(), column: z.int() })).optional(),
    path: z.array(z.union([z.string(), z.int()])).optional(),
    extensions: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('`code`, and the other members of an error: `issues`, `conflicts`, `details`'),
  })
  .meta({ id: 'GraphqlError', description: 'One error of an execution' })

/** The result of an execution (GraphQL specification 7.1). */
export const GraphqlResult = z
  .object({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z.array(GraphqlError).optional(),
    extensions: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'GraphqlResult', description: 'The result of an execution' })

/** The result of an execution. */
export type GraphqlResult = z.output<typeof GraphqlResult>
