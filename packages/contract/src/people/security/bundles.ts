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
  many: 'permission bundles, the built-in ones too',
  view: 'security.roles.view',
  write: 'security.roles.update',
  output: Bundle,
  at: { id: exampleBundle.id },
  example: exampleBundle,
  create: {
    description: 'Nobody grants what they do not hold: a key that the caller lacks is 403.',
    input: BundleInput,
    example: { id: exampleBundle.id, name: 'Translator', permissions: ['items.read', 'items.update'] },
  },
  update: {
    withoutRoom: true,
    summary: 'Change a permission bundle, for all roles that have it',
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
