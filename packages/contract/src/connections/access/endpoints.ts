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

/** Access configurations: upstreams, and what is needed to use them (specification 2.17 and 4.4). */
export const access = {
  list: endpoint({
    binding: 'GET /api/admin/access',
    summary: 'List access configurations',
    permission: 'admin.access.view',
    input: z.strictObject({ limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(AccessConfiguration),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleConfiguration] } },
  }),
  get: endpoint({
    binding: 'GET /api/admin/access/{id}',
    summary: 'Read an access configuration',
    permission: 'admin.access.view',
    input: z.strictObject(onConfiguration),
    output: AccessConfiguration,
    errors: ['not_found'],
    example: { input: { id }, output: exampleConfiguration },
  }),
  delete: endpoint({
    binding: 'DELETE /api/admin/access/{id}',
    summary: 'Delete an access configuration',
    description: 'What used it cannot any more, from the next call on.',
    permission: 'admin.access.update',
    input: z.strictObject(onConfiguration),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { id } },
  }),
}

/** What makes them; it stands in the group `admin`, as the specification has it. */
export const generateKey = endpoint({
  binding: 'POST /api/admin/access/generatekey',
  summary: 'Keep an access configuration',
  description:
    'Beside `name` and `type` it takes the members below, and any others that the provider needs. What is secret is kept encrypted ' +
    'and never shown: each text in a member whose name holds `key`, `secret`, `token`, `pass`, `pwd`, `credential`, `authorization`, ' +
    '`bearer`, `cookie`, `signature`, `private`, `dsn` or `connectionString`, ends with `auth`, or is `headers`, at any depth, and ' +
    'each address with a user or password in it. Answers have `***` in its place.',
  permission: 'admin.access.update',
  input: NewAccessConfiguration,
  output: AccessConfiguration,
  success: 201,
  errors: ['idempotency_mismatch'],
  example: {
    input: { ...sent, apiKey: 'sk-4fJ7kZ0qV2xW8yB6nD1mT3rH' },
    output: exampleConfiguration,
  },
})
