import { z } from 'zod'
import { Id, Name } from '../../conventions.ts'
import { proxiedMethods } from '../../proxied-headers.ts'

/** Another service that requests can be sent to. Its address and credentials are not shown. */
export const Integration = z
  .object({
    id: Id,
    name: Name,
    type: z.string().describe('Type of the upstream, from its access configuration'),
    allowedMethods: z.array(z.enum(proxiedMethods)).describe('Methods that are allowed'),
    allowedPaths: z
      .array(z.string())
      .describe('Paths that are allowed: `*` matches anything within a segment, `**` any segments'),
  })
  .meta({ id: 'Integration', description: 'Another service that requests can be sent to' })

/** An integration, as returned. */
export type Integration = z.output<typeof Integration>
