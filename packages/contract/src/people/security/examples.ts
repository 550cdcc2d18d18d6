import type { Bundle } from './bundle-shapes.ts'
import type { Group, User } from './people-shapes.ts'
import type { Role, ServiceAccount } from './shapes.ts'

/** A role. */
export const exampleRole: Role = {
  id: 'ROLE_01JB2Q6A1B3D5F7H9K1M3P5R7T',
  searchId: 'role_01jb2q6a1b3d5f7h9k1m3p5r7t',
  name: 'Magazine editors',
  groups: [],
  users: [],
  repos: [],
  type: 'role',
  description: '',
  bundles: ['bundle.editor'],
  permissions: { global: [], repos: {}, sites: {} },
  overrides: { grant: [], revoke: [] },
  branchOnly: false,
}

/** A bundle. */
export const exampleBundle: Bundle = {
  id: 'bundle.translator',
  name: 'Translator',
  description: '',
  permissions: ['items.read', 'items.update'],
  isBuiltIn: false,
}

/** A group. */
export const exampleGroup: Group = {
  id: 'GRUP_01JB2Q6B2C4E6G8J0M2P4R6T8V',
  searchId: 'grup_01jb2q6b2c4e6g8j0m2p4r6t8v',
  name: 'The desk',
  groups: [],
  users: ['ada@example.org'],
  roles: [exampleRole.id],
  repos: [],
  type: 'group',
  description: '',
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

/** A user. */
export const exampleUser: User = {
  id: 'ada@example.org',
  searchId: 'ada_example_org',
  name: 'Ada Lovelace',
  repos: [],
  roles: [],
  groups: [],
  type: 'user',
  description: '',
  enabled: true,
  branchOnly: false,
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

/** A service account. */
export const exampleAccount: ServiceAccount = {
  id: 'SVCA_01JB2Q6C4E6G8J0M2P4R6T8V0X',
  name: 'Website',
  description: '',
  roles: [exampleRole.id],
  groups: [],
  expiresAt: null,
  enabled: true,
  branchOnly: false,
  secrets: [{ id: 'SECR_01JB2Q6C4F0H2K4N6Q8S0V2X4Z', createdDate: 1_790_000_000_000, lastUsedDate: null }],
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

/** The response with a new secret. */
export const exampleWithSecret = {
  ...exampleAccount,
  secret: 'the-secret-is-shown-only-in-this-answer-keep-it',
}
