import { z } from 'zod'
import { listOf } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { Bundle, BundleId, BundleInput, PermissionEntry } from './bundle-shapes.ts'
import { exampleBundle } from './examples.ts'

/** Permission bundles (specification 5.2.5). */
export const bundles = crud({
  path: '/api/security/bundles',
  on: { id: BundleId },
  one: 'a permission bundle',
  many: 'permission bundles, including the built-in ones',
  view: { key: 'security.roles.view', on: 'global' },
  write: { key: 'security.roles.update', on: 'global' },
  output: Bundle,
  at: { id: exampleBundle.id },
  example: exampleBundle,
  create: {
    description: 'You can only grant permissions that you have: any other key is 403.',
    input: BundleInput,
    example: { id: exampleBundle.id, name: 'Translator', permissions: ['items.read', 'items.update'] },
  },
  update: {
    withoutRoom: true,
    summary: 'Change a permission bundle in all roles that have it',
    input: patchOf(BundleInput.omit({ id: true }).shape),
    errors: ['not_found', 'invalid_state', 'last_administrator', 'precondition_failed'],
    example: { name: 'Translators' },
    output: exampleBundle,
  },
  delete: {
    summary: 'Delete a permission bundle that no role has',
    errors: ['not_found', 'bundle_in_use', 'invalid_state', 'precondition_failed'],
  },
})

/** The permission catalogue. */
export const permissions = {
  catalog: endpoint({
    binding: 'GET /api/security/permissions',
    summary: 'List all permission keys: what they allow and where they can be granted',
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
