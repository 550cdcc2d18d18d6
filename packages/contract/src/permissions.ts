import { z } from 'zod'

/** Where a permission key can be granted, in addition to globally. */
export type PermissionScope = 'repository' | 'type' | 'site' | 'locale'

interface PermissionInfo {
  readonly description: string
  readonly scopes: readonly PermissionScope[]
}

const onType = ['repository', 'type'] as const
const inLocale = [...onType, 'locale'] as const
const onRepository = ['repository'] as const
const onSite = ['site'] as const
const everywhere = [] as const

/** Every permission key: what it allows and where it can be granted. */
export const permissionCatalogue = {
  'items.read': { description: 'Read items', scopes: onType },
  'items.create': { description: 'Create items', scopes: onType },
  'items.update': { description: 'Change and categorize items', scopes: inLocale },
  'items.delete': { description: 'Delete and undelete items', scopes: onType },
  'items.publish': { description: 'Publish and unpublish items', scopes: inLocale },
  'items.archive': { description: 'Archive and unarchive items', scopes: onType },
  'assets.read': { description: 'See the renditions of assets', scopes: onType },
  'assets.download': { description: 'Download the files of assets', scopes: onType },
  'assets.upload': { description: 'Upload and replace the files of assets', scopes: onType },
  'folders.read': { description: 'See folders', scopes: onRepository },
  'folders.create': { description: 'Create folders', scopes: onRepository },
  'folders.update': { description: 'Change and move folders', scopes: onRepository },
  'folders.delete': { description: 'Delete folders', scopes: onRepository },
  'taxonomies.read': { description: 'See taxonomies and their categories', scopes: onRepository },
  'taxonomies.create': { description: 'Create taxonomies and categories', scopes: onRepository },
  'taxonomies.update': { description: 'Change and move taxonomies and categories', scopes: onRepository },
  'taxonomies.delete': { description: 'Delete taxonomies and categories', scopes: onRepository },
  'queries.run': { description: 'Search, and run queries', scopes: onRepository },
  'graphql.query': {
    description: 'Query and change content through GraphQL, as far as other keys permit',
    scopes: onRepository,
  },
  'queries.save': { description: 'Save, change and delete queries', scopes: onRepository },
  'activity.view': { description: 'See the activity log of a repository', scopes: onRepository },
  'ai.use': {
    description: 'Use language models; for items of a repository as far as other keys permit',
    scopes: onRepository,
  },
  'integrations.use': { description: 'Send requests to integrations', scopes: everywhere },
  'packages.view': { description: 'See packages and read content on their branches', scopes: onRepository },
  'packages.diff.view': { description: 'See what packages change', scopes: onRepository },
  'packages.create': { description: 'Create packages', scopes: onRepository },
  'packages.update': {
    description: 'Describe packages, add unchanged items and drop changes',
    scopes: onRepository,
  },
  'packages.comment': {
    description: 'Comment on packages, and ask for their review',
    scopes: onRepository,
  },
  'packages.delete': { description: 'Delete packages and their changes', scopes: onRepository },
  'packages.merge': { description: 'Merge, sync and revert packages', scopes: onRepository },
  'workflow.start': { description: 'Start the review of packages', scopes: onRepository },
  'workflow.act': {
    description: 'Approve, reject, route and cancel in the review of packages',
    scopes: onRepository,
  },
  'workflow.assign': {
    description: 'Assign reviewers to packages, and act in their place',
    scopes: onRepository,
  },
  'sites.view': { description: 'See sites, sections and pages', scopes: onSite },
  'sites.update': { description: 'Change sites, sections and pages', scopes: onSite },
  'sites.publish': { description: 'Publish sites', scopes: onSite },
  'security.roles.view': { description: 'See roles and bundles', scopes: everywhere },
  'security.roles.update': { description: 'Create, change and delete roles and bundles', scopes: everywhere },
  'security.users.view': { description: 'See users and their permissions', scopes: everywhere },
  'security.users.update': { description: 'Create, change and delete users', scopes: everywhere },
  'security.groups.view': { description: 'See groups', scopes: everywhere },
  'security.groups.update': { description: 'Create, change and delete groups', scopes: everywhere },
  'security.keys.update': { description: 'Rotate the keys that sign tokens', scopes: everywhere },
  'security.audit.view': { description: 'See the audit log', scopes: everywhere },
  'security.serviceAccounts.view': { description: 'See service accounts', scopes: everywhere },
  'security.serviceAccounts.update': {
    description: 'Create, change and delete service accounts',
    scopes: everywhere,
  },
  'queue.view': { description: 'See jobs', scopes: onRepository },
  'queue.manage': { description: 'Cancel and retry jobs', scopes: onRepository },
  'admin.webhooks.view': { description: 'See webhooks and their deliveries', scopes: onRepository },
  'admin.webhooks.update': {
    description: 'Register webhooks, which receive the events of a repository',
    scopes: onRepository,
  },
  'admin.workflow.view': {
    description: 'See connections to workflow engines, and definitions',
    scopes: everywhere,
  },
  'admin.workflow.update': {
    description: 'Configure connections to workflow engines, and define workflows',
    scopes: everywhere,
  },
  'admin.types.view': { description: 'See content types', scopes: everywhere },
  'admin.types.update': { description: 'Create, change and delete content types', scopes: everywhere },
  'admin.types.lock': { description: 'Lock and unlock content types', scopes: everywhere },
  'admin.indexes.view': { description: 'See the statistics of search indexes', scopes: everywhere },
  'admin.indexes.update': { description: 'Rebuild search indexes', scopes: everywhere },
  'admin.access.view': { description: 'See access configurations', scopes: everywhere },
  'admin.access.update': {
    description:
      'Create and delete access configurations, which hold the addresses and credentials of other services',
    scopes: everywhere,
  },
  'admin.settings.view': {
    description: 'See the health and the settings of the service',
    scopes: everywhere,
  },
  'admin.settings.update': { description: 'Change the settings of the service', scopes: everywhere },
  'admin.repositories.view': { description: 'See the settings of repositories', scopes: onRepository },
  'admin.repositories.update': {
    description: 'Create, change and delete repositories',
    scopes: onRepository,
  },
  'admin.repositories.export': {
    description: 'Export the content of repositories, as far as other keys permit to read it',
    scopes: onRepository,
  },
  'admin.repositories.import': {
    description: 'Import content into repositories, as far as other keys permit to write it',
    scopes: onRepository,
  },
  'admin.repositories.crawl': {
    description: 'Run maintenance jobs on the files and the index of a repository',
    scopes: onRepository,
  },
  'admin.repositories.migration.run': {
    description: 'Run the same maintenance jobs, as part of a migration',
    scopes: onRepository,
  },
} as const satisfies Record<string, PermissionInfo>

/** One permission key. */
export type PermissionKey = keyof typeof permissionCatalogue

/** All keys, in the order of the catalogue. */
export const permissionKeys = Object.keys(permissionCatalogue) as readonly PermissionKey[]

/** The schema of one permission key. */
export const PermissionKey = z.enum(permissionKeys as readonly [PermissionKey, ...PermissionKey[]])

/** Whether a text is a key of the catalogue. */
export function isPermissionKey(text: string): text is PermissionKey {
  return Object.hasOwn(permissionCatalogue, text)
}

const viewer: readonly PermissionKey[] = [
  'items.read',
  'assets.read',
  'assets.download',
  'folders.read',
  'taxonomies.read',
  'queries.run',
  'graphql.query',
  'packages.view',
  'packages.diff.view',
  'sites.view',
  'admin.types.view',
  'admin.repositories.view',
]
const contributor: readonly PermissionKey[] = [
  ...viewer,
  'items.create',
  'items.update',
  'ai.use',
  'assets.upload',
  'folders.create',
  'folders.update',
  'queries.save',
  'packages.create',
  'packages.update',
  'packages.comment',
  'workflow.start',
  'sites.update',
]
const editor: readonly PermissionKey[] = [
  ...contributor,
  'items.delete',
  'items.archive',
  'folders.delete',
  'taxonomies.create',
  'taxonomies.update',
  'taxonomies.delete',
  'activity.view',
  'packages.delete',
  'workflow.act',
]
const publisher: readonly PermissionKey[] = [
  ...editor,
  'items.publish',
  'packages.merge',
  'workflow.assign',
  'sites.publish',
]

/** The built-in permission bundles (specification 5.2.5), read-only. */
export const builtInBundles: Readonly<Record<string, readonly PermissionKey[]>> = {
  'bundle.viewer': viewer,
  'bundle.contributor': contributor,
  'bundle.editor': editor,
  'bundle.publisher': publisher,
  'bundle.developer': [
    ...publisher,
    'integrations.use',
    'admin.types.update',
    'admin.types.lock',
    'admin.indexes.view',
    'admin.indexes.update',
    'admin.webhooks.view',
    'admin.webhooks.update',
    'admin.workflow.view',
    'admin.workflow.update',
    'queue.view',
    'queue.manage',
    'admin.repositories.update',
    'admin.repositories.export',
    'admin.repositories.import',
    'admin.repositories.crawl',
    'admin.repositories.migration.run',
  ],
  'bundle.administrator': permissionKeys,
}

/**
 * The keys that a legacy `repos` entry of a role, user or group grants on its repository
 * (specification 2.6).
 */
export const legacyPermissions: Readonly<Record<'view' | 'write' | 'admin', readonly PermissionKey[]>> = {
  view: keysOnRepositories(
    (key) =>
      !isOperators(key) &&
      (key.endsWith('.read') || key.endsWith('.view') || key === 'queries.run' || key === 'graphql.query'),
  ),
  write: keysOnRepositories(
    (key) => !isOperators(key) && (!key.startsWith('admin.') || key.endsWith('.view')),
  ),
  admin: keysOnRepositories(() => true),
}

/**
 * Whether a key is for operators of the service. The addresses of webhooks are secrets, and the
 * queue shows content that its viewer may not read.
 */
function isOperators(key: PermissionKey): boolean {
  return key.startsWith('queue.') || key.startsWith('admin.webhooks.')
}

function keysOnRepositories(matches: (key: PermissionKey) => boolean): readonly PermissionKey[] {
  return permissionKeys.filter(
    (key) => permissionCatalogue[key].scopes.some((scope) => scope === 'repository') && matches(key),
  )
}
