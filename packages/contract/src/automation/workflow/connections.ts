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
    view: 'admin.workflow.view',
    write: 'admin.workflow.update',
    output: WorkflowConnection,
    at: example,
    example: exampleConnection,
    create: {
      summary: 'Keep a connection to a workflow engine',
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
        'Only what is sent changes; `auth` is replaced whole. Another origin of `baseUrl`, or one more in `allowedOrigins`, wants the secret of `auth` anew.',
      input: {
        ...patchOf(connectionMembers),
        callback: z
          .strictObject({ apiKey: CallbackSecret.optional(), signingSecret: CallbackSecret.optional() })
          .optional()
          .describe('As when it is created; what is left out stays'),
      },
      example: { timeoutMs: 5000 },
    },
    delete: {
      description: 'Not while a definition names it or a workflow runs on it: 409 `referenced`.',
      errors: ['not_found', 'referenced', 'precondition_failed'],
    },
  }),
  test: endpoint({
    binding: 'POST /api/admin/workflow/connections/{id}/test',
    summary: 'Try whether the engine answers',
    description:
      'One GET of `baseUrl` with the credentials. An answer below 500 that is neither 401 nor 403 means that it is there and lets us in.',
    permission: 'admin.workflow.update',
    input: z.strictObject(onConnection),
    output: z
      .object({
        ok: z.boolean(),
        status: z.int().nullable().describe('HTTP status of the answer; null without one'),
        ms: z.int().describe('From the request to the end of its answer'),
        message: z.string().describe('What that means, for people'),
      })
      .meta({ id: 'ConnectionTest', description: 'What came of a try' }),
    errors: ['not_found'],
    example: {
      input: example,
      output: { ok: true, status: 200, ms: 12, message: 'The engine answered with 200.' },
    },
  }),
}
