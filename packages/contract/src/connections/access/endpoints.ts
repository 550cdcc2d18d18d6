import { z } from 'zod'
import { Id, listInput, listOf } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { AccessConfiguration, NewAccessConfiguration } from './shapes.ts'

const onConfiguration = { id: Id.describe('The access configuration') }

const exampleConfiguration = {
  id: 'ACCS_01JB2QJ5H7K9M1N3P5R7T9V1X3',
  name: 'Language model',
  type: 'openai',
  baseUrl: 'https://api.example.com/v1',
  apiKey: '***' as const,
  timeoutMs: 30_000,
  budget: { requests: 1000, per: 'day' as const },
  organization: 'org-41',
  createdDate: 1_790_001_000_000,
}
const { id, createdDate: _createdDate, ...sent } = exampleConfiguration

/**
 * Operations on access configurations: upstreams and their credentials (specification 2.17 and
 * 4.4).
 */
export const access = {
  list: endpoint({
    binding: 'GET /api/admin/access',
    summary: 'List access configurations',
    permission: { key: 'admin.access.view', on: 'global' },
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(AccessConfiguration),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleConfiguration] } },
  }),
  get: endpoint({
    binding: 'GET /api/admin/access/{id}',
    summary: 'Read an access configuration',
    permission: { key: 'admin.access.view', on: 'global' },
    input: z.strictObject(onConfiguration),
    output: AccessConfiguration,
    errors: ['not_found'],
    example: { input: { id }, output: exampleConfiguration },
  }),
  delete: endpoint({
    binding: 'DELETE /api/admin/access/{id}',
    summary: 'Delete an access configuration',
    description: 'Whatever uses it fails from the next call on.',
    permission: { key: 'admin.access.update', on: 'global' },
    input: z.strictObject(onConfiguration),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { id } },
  }),
}

/** Creates an access configuration. It is in the group `admin`, as in the specification. */
export const generateKey = endpoint({
  binding: 'POST /api/admin/access/generatekey',
  summary: 'Create an access configuration',
  description:
    'In addition to `name` and `type` it accepts the members below, and any others that the provider needs. Secrets are stored encrypted ' +
    'and never shown: every text in a member whose name contains `key`, `secret`, `token`, `pass`, `pwd`, `credential`, `authorization`, ' +
    '`bearer`, `cookie`, `signature`, `private`, `dsn` or `connectionString`, ends with `auth`, or is `headers`, at any depth, and ' +
    'every URL that contains a user or password. Responses show `***` instead.',
  permission: { key: 'admin.access.update', on: 'global' },
  input: NewAccessConfiguration,
  output: AccessConfiguration,
  success: 201,
  errors: ['idempotency_mismatch'],
  example: {
    input: { ...sent, apiKey: 'sk-4fJ7kZ0qV2xW8yB6nD1mT3rH' },
    output: exampleConfiguration,
  },
})
