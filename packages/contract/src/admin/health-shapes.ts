import { z } from 'zod'
import { UnixMs } from '../conventions.ts'

/** The status of the service or of one check. */
export const HealthStatus = z
  .enum(['ok', 'degraded', 'unavailable'])
  .describe('degraded: it works but needs attention; unavailable: it does not work')

/** The status of the service or of one check. */
export type HealthStatus = z.output<typeof HealthStatus>

/** One health check. */
export const HealthCheck = z
  .object({
    name: z
      .enum(['store', 'blobs', 'queue', 'search', 'process', 'disk'])
      .describe('What was checked; `process` and `disk` only if the service can check them'),
    status: HealthStatus,
    ms: z.number().describe('Duration of the check in milliseconds, at most 2000'),
    message: z.string().describe('What is wrong and what to do, in words; empty if nothing is wrong'),
    details: z
      .record(z.string(), z.union([z.number(), z.string()]))
      .describe('Measurements and settings, by name'),
  })
  .meta({ id: 'HealthCheck', description: 'The check of one thing that the service depends on' })

/** One health check. */
export type HealthCheck = z.output<typeof HealthCheck>

/** The health of the service. */
export const Health = z
  .object({
    status: HealthStatus.describe(
      'The worst status of the essential checks; other failing checks make it degraded',
    ),
    time: UnixMs.describe('Time of the checks'),
    version: z.string().nullable().describe('Version of the service; null if not known'),
    uptimeSeconds: z
      .number()
      .nullable()
      .describe('Seconds since the start of the service; null if not known'),
    checks: z.array(HealthCheck),
  })
  .meta({ id: 'Health', description: 'The health of the service' })

/** The health of the service. */
export type Health = z.output<typeof Health>
