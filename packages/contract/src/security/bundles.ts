import { z } from 'zod'
import { listOf } from '../conventions.ts'
import { endpoint } from '../endpoint.ts'
import { Bundle, BundleId, BundleInput, PermissionEntry } from './bundle-shapes.ts'
import { exampleBundle } from './examples.ts'
import { listing } from './inputs.ts'

const ofBundle = { id: BundleId }

/** Permission bundles (specification 5.2.5). */
export const bundles = {
  list: endpoint({
    binding: 'GET /api/security/bundles',
    summary: 'List permission bundles, the built-in ones too',
    permission: 'security.roles.view',
    input: z.strictObject(listing),
    output: listOf(Bundle),
    errors: [],
    example: { input: {}, output: { count: 1, items: [exampleBundle] } },
  }),
  get: endpoint({
    binding: 'GET /api/security/bundles/{id}',
    summary: 'Read a permission bundle',
    permission: 'security.roles.view',
    input: z.strictObject(ofBundle),
    output: Bundle,
    errors: ['not_found'],
    example: { input: { id: exampleBundle.id }, output: exampleBundle },
  }),
  create: endpoint({
    binding: 'POST /api/security/bundles',
    summary: 'Create a permission bundle',
    description: 'Nobody grants what they do not hold: a key that the caller lacks is 403.',
    permission: 'security.roles.update',
    input: BundleInput,
    output: Bundle,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: {
      input: { id: exampleBundle.id, name: 'Translator', permissions: ['items.read', 'items.update'] },
      output: exampleBundle,
    },
  }),
  update: endpoint({
    binding: 'PATCH /api/security/bundles/{id}',
    summary: 'Change a permission bundle, for all roles that have it',
    permission: 'security.roles.update',
    input: z.strictObject({
      ...ofBundle,
      name: BundleInput.shape.name.optional(),
      description: BundleInput.shape.description.unwrap().optional(),
      permissions: BundleInput.shape.permissions.optional(),
    }),
    output: Bundle,
    errors: ['not_found', 'invalid_state', 'last_administrator', 'precondition_failed'],
    example: { input: { id: exampleBundle.id, name: 'Translators' }, output: exampleBundle },
  }),
  delete: endpoint({
    binding: 'DELETE /api/security/bundles/{id}',
    summary: 'Delete a permission bundle that no role has',
    permission: 'security.roles.update',
    input: z.strictObject(ofBundle),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'bundle_in_use', 'invalid_state', 'precondition_failed'],
    example: { input: { id: exampleBundle.id } },
  }),
}

/** The permission catalogue. */
export const permissions = {
  catalog: endpoint({
    binding: 'GET /api/security/permissions',
    summary: 'Every permission key: what it lets one do and where it can be granted',
    permission: 'authenticated',
    input: z.strictObject({}),
    output: listOf(PermissionEntry),
    errors: [],
    example: {
      input: {},
      output: {
        count: 1,
        items: [
          { key: 'items.read', area: 'items', description: 'Read items', scopes: ['repository', 'type'] },
        ],
      },
    },
  }),
}
