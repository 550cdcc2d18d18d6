import { z } from 'zod'
import { Id, Name } from '../../conventions.ts'
import { proxiedMethods } from '../../proxied-headers.ts'

/** A service of others that requests are passed on to. Where it is, and what opens it, is not shown. */
export const Integration = z
  .object({
    id: Id,
    name: Name,
    type: z.string().describe('What the upstream is, as its access configuration has it'),
    allowedMethods: z.array(z.enum(proxiedMethods)).describe('Methods that are passed on'),
    allowedPaths: z
      .array(z.string())
      .describe('Paths that are passed on: `*` stands for anything within a part, `**` for any parts'),
  })
  .meta({ id: 'Integration', description: 'A service of others that requests are passed on to' })

/** An integration as answered. */
export type Integration = z.output<typeof Integration>
