import { z } from 'zod'
import { endlessListOf, listInput, ProgramName, UnixMs, UserRef } from '../../conventions.ts'
import { AgentCall } from '../../automation/activity/shapes.ts'
import { journalEvents } from '../../automation/events/words.ts'
import { endpoint } from '../../endpoint.ts'
import type { PermissionKey } from '../../permissions.ts'
import { exampleAccount, exampleGroup, exampleRole, exampleUser } from './examples.ts'
import { whole } from './inputs.ts'
import { RelatedIds } from './people-shapes.ts'

const related = { users: [], roles: [exampleRole.id], groups: [exampleGroup.id], serviceAccounts: [] }

const info = (kind: string, { key, id, name = kind }: { key: PermissionKey; id: string; name?: string }) =>
  endpoint({
    binding: `GET /api/security/info/${kind}/{id}`,
    summary: `List the ids related to a ${name}`,
    permission: { key, on: 'global' },
    input: z.strictObject(whole),
    output: RelatedIds,
    errors: ['not_found'],
    example: { input: { id }, output: related },
  })

/**
 * An entry in the audit log: a change of users, groups, roles, bundles, service accounts, sessions
 * or keys.
 */
const AuditEntry = z
  .object({
    id: z.string().describe('Increases with time'),
    timestamp: z.string().describe('Time as an ISO timestamp'),
    event: z.string().describe('`ROLE_UPDATED`…'),
    entityType: z.string(),
    entityId: z.string(),
    user: UserRef.describe('Who did it'),
    address: z.string().nullable().describe('Network address of the caller; null: the service itself'),
    requestId: z.string(),
    program: ProgramName,
    call: AgentCall,
    changed: z
      .record(z.string(), z.object({ from: z.json(), to: z.json() }))
      .describe('Each member that changed, with its old and new value; never a secret'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'An entry in the audit log: a change of accounts, roles, sessions or keys',
  })

/** Operations that list related ids (specification 4.5), read the audit log and rotate keys. */
export const security = {
  userInfo: info('user', { key: 'security.users.view', id: exampleUser.id }),
  roleInfo: info('role', { key: 'security.roles.view', id: exampleRole.id }),
  groupInfo: info('group', { key: 'security.groups.view', id: exampleGroup.id }),
  serviceAccountInfo: info('serviceAccount', {
    key: 'security.serviceAccounts.view',
    id: exampleAccount.id,
    name: 'service account',
  }),
  audit: endpoint({
    binding: 'GET /api/security/audit',
    summary: 'Read the audit log, newest first',
    description:
      'Append-only: entries are never removed. A page can have fewer entries than `limit` and still have a next page.',
    permission: { key: 'security.audit.view', on: 'global' },
    input: z.strictObject({
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
      event: z
        .enum(journalEvents)
        .optional()
        .describe('Only this event. `AGENT_CALLED`: calls of agents that named no repository'),
    }),
    output: endlessListOf(AuditEntry),
    errors: [],
    example: {
      input: { limit: 10 },
      output: {
        count: 1,
        items: [
          {
            id: '42',
            timestamp: '2026-09-21T14:13:20.000Z',
            event: 'ROLE_UPDATED',
            entityType: 'role',
            entityId: exampleRole.id,
            user: { userName: 'ada@example.org', displayName: 'Ada Lovelace', email: 'ada@example.org' },
            address: '192.0.2.7',
            requestId: 'REQ_01JB2Q7V2X4Z6B8D0F2H4K6M8P',
            changed: { description: { from: '', to: 'Everybody at the desk' } },
          },
        ],
      },
    },
  }),
  rotateKeys: endpoint({
    binding: 'POST /api/security/keys/rotate',
    withoutRoom: true,
    summary: 'Rotate a key without downtime',
    description:
      '`tokens`: the key pair that signs tokens. The old one still verifies until its last token has expired. `secrets`: the server ' +
      'key that hashes and encrypts secrets. Encrypted secrets are encrypted again; hashed secrets are hashed again when they are next used.',
    permission: { key: 'security.keys.update', on: 'global' },
    input: z.strictObject({
      of: z.enum(['tokens', 'secrets']).default('tokens').describe('The key to rotate'),
    }),
    output: z.object({
      id: z.string().describe('Id of the new key; for `tokens` its `kid`'),
      usedFrom: UnixMs.describe(
        'When the new key comes into use. A signing key waits until everyone who caches the public keys has it',
      ),
    }),
    errors: ['idempotency_mismatch'],
    example: {
      input: { of: 'tokens' },
      output: { id: 'KEY_01JB2Q6C4E6G8J0M2P4R6T8V0X', usedFrom: 1_790_000_300_000 },
    },
  }),
}
