import { z } from 'zod'
import { listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { exampleGroup } from './examples.ts'
import { listing, whole } from './inputs.ts'
import { Group, GroupInput } from './people-shapes.ts'

/** Groups (specification 2.8). */
export const groups = {
  list: endpoint({
    binding: 'GET /api/security/groups',
    summary: 'List groups',
    permission: 'security.groups.view',
    input: z.strictObject(listing),
    output: listOf(Group),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleGroup] } },
  }),
  get: endpoint({
    binding: 'GET /api/security/groups/{id}',
    summary: 'Read a group',
    permission: 'security.groups.view',
    input: z.strictObject(whole),
    output: Group,
    errors: ['not_found'],
    example: { input: { id: exampleGroup.id }, output: exampleGroup },
  }),
  create: endpoint({
    binding: 'POST /api/security/groups',
    summary: 'Create a group',
    description: 'Nobody grants what they do not hold: a role or repository that gives more is 403.',
    permission: 'security.groups.update',
    input: GroupInput,
    output: Group,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: { input: { name: 'The desk', users: ['ada@example.org'] }, output: exampleGroup },
  }),
  update: endpoint({
    binding: 'PATCH /api/security/groups/{id}',
    summary: 'Change a group',
    permission: 'security.groups.update',
    input: z.strictObject({
      ...whole,
      name: GroupInput.shape.name.optional(),
      groups: GroupInput.shape.groups.unwrap().optional(),
      users: GroupInput.shape.users.unwrap().optional(),
      roles: GroupInput.shape.roles.unwrap().optional(),
      repos: GroupInput.shape.repos.unwrap().optional(),
      type: GroupInput.shape.type.unwrap().optional(),
      description: GroupInput.shape.description.unwrap().optional(),
    }),
    output: Group,
    errors: ['not_found', 'name_taken', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleGroup.id, description: 'Everybody at the desk' }, output: exampleGroup },
  }),
  delete: endpoint({
    binding: 'DELETE /api/security/groups/{id}',
    summary: 'Delete a group; who was in it loses what it gave, at once',
    permission: 'security.groups.update',
    input: z.strictObject(whole),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleGroup.id } },
  }),
}
