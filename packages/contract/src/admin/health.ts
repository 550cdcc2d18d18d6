import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Health } from './health-shapes.ts'

/** Checks everything that the service depends on. */
export const health = endpoint({
  binding: 'GET /api/admin/health',
  summary: 'Check the health of the service',
  description:
    'Checks everything that the service depends on, at the time of the request. The status is 200 even if something does not work. Without a token, `/livez` and `/readyz` ' +
    'say in one word whether to send requests.',
  permission: { key: 'admin.settings.view', on: 'global' },
  input: z.strictObject({}),
  output: Health,
  errors: [],
  example: {
    input: {},
    output: {
      status: 'degraded',
      time: 1_790_001_000_000,
      version: '1.0.0',
      uptimeSeconds: 86_400,
      checks: [
        { name: 'store', status: 'ok', ms: 0.2, message: '', details: { synchronous: '2' } },
        { name: 'blobs', status: 'ok', ms: 0.4, message: '', details: {} },
        {
          name: 'queue',
          status: 'degraded',
          ms: 0.3,
          message: 'The oldest job that is due has waited for 94 s: look at GET /api/queue.',
          details: { waitingMs: 94_000, running: 32 },
        },
      ],
    },
  },
})
