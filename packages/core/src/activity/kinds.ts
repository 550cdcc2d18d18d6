import type { LogKind, PermissionKey } from '@quire/contract'
import type { EntityKind } from '../ports/index.ts'

/** What the log needs to know of a kind of thing. */
export interface LogRules {
  readonly kind: LogKind
  /** What lets one read such a thing, and so know what was done to it; null: who may see the log may. */
  readonly key: PermissionKey | null
  /** Of a thing that lives on lines: its kind there, where who may read it is decided by its head. */
  readonly entity: EntityKind | null
}

/** By what their events begin with: a type of content may be called anything, also "package". */
const rules: readonly (readonly [string, LogRules])[] = [
  ['ITEM_', { kind: 'item', key: 'items.read', entity: 'item' }],
  ['FOLDER_', { kind: 'folder', key: 'folders.read', entity: 'folder' }],
  ['TAXONOMY_', { kind: 'taxonomy', key: 'taxonomies.read', entity: 'taxonomy' }],
  ['CATEGORY_', { kind: 'category', key: 'taxonomies.read', entity: 'category' }],
  ['SITE_', { kind: 'site', key: 'sites.view', entity: 'site' }],
  ['SECTION_', { kind: 'section', key: 'sites.view', entity: 'section' }],
  ['PAGE_', { kind: 'page', key: 'sites.view', entity: 'page' }],
  ['PACKAGE_', { kind: 'package', key: 'packages.view', entity: null }],
  ['AUTO_PACKAGE_RULE_', { kind: 'autoPackageRule', key: 'packages.view', entity: null }],
  ['RENDITION_PRESET_', { kind: 'renditionPreset', key: 'assets.read', entity: null }],
  ['QUERY_', { kind: 'query', key: 'queries.run', entity: null }],
  ['WEBHOOK_', { kind: 'webhook', key: 'admin.webhooks.view', entity: null }],
  ['INDEX_', { kind: 'index', key: 'admin.indexes.view', entity: null }],
  ['REPOSITORY_', { kind: 'repository', key: null, entity: null }],
]

/** What the log makes of an event; null for those that are of no repository: they are never in its log. */
export function logRules(event: string): LogRules | null {
  return rules.find(([prefix]) => event.startsWith(prefix))?.[1] ?? null
}
