import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { CallbackSecret, connectionMembers, WorkflowConnection } from './connection-shapes.ts'
import { exampleConnection } from './examples.ts'

const onConnection = { id: Id.describe('The connection') }
const example = { id: exampleConnection.id }
const { auth, callback, allowedOrigins, timeoutMs, ...required } = connectionMembers

/** Connections to workflow engines. */
export const workflowConnections = {
  ...crud({
    path: '/api/admin/workflow/connections',
    on: onConnection,
    one: 'a connection',
    many: 'connections to workflow engines',
    view: { key: 'admin.workflow.view', on: 'global' },
    write: { key: 'admin.workflow.update', on: 'global' },
    output: WorkflowConnection,
    at: example,
    example: exampleConnection,
    create: {
      summary: 'Create a connection to a workflow engine',
      input: z.strictObject({
        ...required,
        auth: auth.default({ kind: 'none' }),
        callback: callback.prefault({}),
        allowedOrigins: allowedOrigins.default([]),
        timeoutMs: timeoutMs.default(10_000),
      }),
      example: {
        name: exampleConnection.name,
        baseUrl: exampleConnection.baseUrl,
        callbackBaseUrl: exampleConnection.callbackBaseUrl,
        auth: { kind: 'bearer', token: 'hYv2m8Qn5sLr0Tq4' },
        callback: { signingSecret: 'p3GkX7wZc9Bf1Dn6Vj2R' },
      },
    },
    update: {
      description:
        'Only the members that are sent change; `auth` is replaced as a whole. Changing the origin of `baseUrl` or adding one to `allowedOrigins` requires the secret of `auth` again.',
      input: {
        ...patchOf(connectionMembers),
        callback: z
          .strictObject({ apiKey: CallbackSecret.optional(), signingSecret: CallbackSecret.optional() })
          .optional()
          .describe('As in create; members that are left out stay as they are'),
      },
      example: { timeoutMs: 5000 },
    },
    delete: {
      description: '409 `referenced` while a definition uses it or a workflow runs on it.',
      errors: ['not_found', 'referenced', 'precondition_failed'],
    },
  }),
  test: endpoint({
    binding: 'POST /api/admin/workflow/connections/{id}/test',
    summary: 'Test whether the engine responds',
    description:
      'Sends one GET to `baseUrl` with the credentials. Any status below 500 except 401 and 403 means that the engine is reachable and accepts the credentials.',
    permission: { key: 'admin.workflow.update', on: 'global' },
    input: z.strictObject(onConnection),
    output: z
      .object({
        ok: z.boolean(),
        status: z.int().nullable().describe('HTTP status of the response; null without a response'),
        ms: z.int().describe('Milliseconds from the request to the end of the response'),
        message: z.string().describe('The result in words'),
      })
      .meta({ id: 'ConnectionTest', description: 'The result of a connection test' }),
    errors: ['not_found'],
    example: {
      input: example,
      output: { ok: true, status: 200, ms: 12, message: 'The engine answered with 200.' },
    },
  }),
}
