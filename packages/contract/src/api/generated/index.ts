// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { AnyContent } from '../typed-item.ts'
import type { AuthApi } from './auth.ts'
import type { UserApi } from './user.ts'
import type { ItemsApi } from './items.ts'
import type { UploadsApi } from './uploads.ts'
import type { AssetsApi } from './assets.ts'
import type { RenditionsApi } from './renditions.ts'
import type { RenditionPresetsApi } from './rendition-presets.ts'
import type { PublishedApi } from './published.ts'
import type { TypesApi } from './types.ts'
import type { SchemaApi } from './schema.ts'
import type { FoldersApi } from './folders.ts'
import type { TaxonomiesApi } from './taxonomies.ts'
import type { CategoriesApi } from './categories.ts'
import type { ReferencesApi } from './references.ts'
import type { DependenciesApi } from './dependencies.ts'
import type { TranslationsApi } from './translations.ts'
import type { ActivityApi } from './activity.ts'
import type { EventsApi } from './events.ts'
import type { QueriesApi } from './queries.ts'
import type { SavedQueriesApi } from './saved-queries.ts'
import type { GraphqlApi } from './graphql.ts'
import type { PackagesApi } from './packages.ts'
import type { AutoPackageApi } from './auto-package.ts'
import type { AutoPackageRulesApi } from './auto-package-rules.ts'
import type { WorkflowApi } from './workflow.ts'
import type { WorkflowConnectionsApi } from './workflow-connections.ts'
import type { WorkflowDefinitionsApi } from './workflow-definitions.ts'
import type { RepositoriesApi } from './repositories.ts'
import type { RolesApi } from './roles.ts'
import type { BundlesApi } from './bundles.ts'
import type { PermissionsApi } from './permissions.ts'
import type { UsersApi } from './users.ts'
import type { GroupsApi } from './groups.ts'
import type { ServiceAccountsApi } from './service-accounts.ts'
import type { SecurityApi } from './security.ts'
import type { SitesApi } from './sites.ts'
import type { SectionsApi } from './sections.ts'
import type { PagesApi } from './pages.ts'
import type { QueueApi } from './queue.ts'
import type { WebhooksApi } from './webhooks.ts'
import type { AccessApi } from './access.ts'
import type { AiApi } from './ai.ts'
import type { IntegrationsApi } from './integrations.ts'
import type { AdminApi } from './admin.ts'

export type * from './lists.ts'
export type * from './auth.ts'
export type * from './user.ts'
export type * from './items.ts'
export type * from './uploads.ts'
export type * from './assets.ts'
export type * from './renditions.ts'
export type * from './rendition-presets.ts'
export type * from './published.ts'
export type * from './types.ts'
export type * from './schema.ts'
export type * from './folders.ts'
export type * from './taxonomies.ts'
export type * from './categories.ts'
export type * from './references.ts'
export type * from './dependencies.ts'
export type * from './translations.ts'
export type * from './activity.ts'
export type * from './events.ts'
export type * from './queries.ts'
export type * from './saved-queries.ts'
export type * from './graphql.ts'
export type * from './packages.ts'
export type * from './auto-package.ts'
export type * from './auto-package-rules.ts'
export type * from './workflow.ts'
export type * from './workflow-connections.ts'
export type * from './workflow-definitions.ts'
export type * from './repositories.ts'
export type * from './roles.ts'
export type * from './bundles.ts'
export type * from './permissions.ts'
export type * from './users.ts'
export type * from './groups.ts'
export type * from './service-accounts.ts'
export type * from './security.ts'
export type * from './sites.ts'
export type * from './sections.ts'
export type * from './pages.ts'
export type * from './queue.ts'
export type * from './webhooks.ts'
export type * from './access.ts'
export type * from './ai.ts'
export type * from './integrations.ts'
export type * from './admin.ts'

/**
 * The typed API. The engine in your process, the client and the mock all implement it.
 * With the interface `ContentTypes` that `quire types` writes, the `fields` of items are typed.
 */
export interface Api<C extends object = AnyContent> {
  /** Access tokens, the keys that verify them, and your permissions. */
  readonly auth: AuthApi
  /** The current caller, and recently visited repositories and sites. */
  readonly user: UserApi
  /** Content items: reading, writing, versions, publishing. */
  readonly items: ItemsApi<C>
  /** Content items: reading, writing, versions, publishing. */
  readonly uploads: UploadsApi
  /** The files of items: fetching, replacing, downloading as an archive. */
  readonly assets: AssetsApi<C>
  /** Derived and custom pictures of assets, and presets. */
  readonly renditions: RenditionsApi<C>
  /** Derived and custom pictures of assets, and presets. */
  readonly renditionPresets: RenditionPresetsApi
  /** Published content, without a token if the repository is public; embeds. */
  readonly published: PublishedApi<C>
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly types: TypesApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly schema: SchemaApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly folders: FoldersApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly taxonomies: TaxonomiesApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly categories: CategoriesApi
  /** What refers to an item. */
  readonly references: ReferencesApi
  /** What an item needs, and what needs it. */
  readonly dependencies: DependenciesApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly translations: TranslationsApi
  /** Who did what, when and from where, and events as they happen. */
  readonly activity: ActivityApi
  /** Who did what, when and from where, and events as they happen. */
  readonly events: EventsApi
  /** Search, filters, facets and highlights; saved queries. */
  readonly queries: QueriesApi<C>
  /** Search, filters, facets and highlights; saved queries. */
  readonly savedQueries: SavedQueriesApi
  /** The content of a repository through GraphQL. */
  readonly graphql: GraphqlApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly packages: PackagesApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly autoPackage: AutoPackageApi<C>
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly autoPackageRules: AutoPackageRulesApi
  /** The review of packages by an external engine. */
  readonly workflow: WorkflowApi
  /** Connections to workflow engines, and the workflows that can be started. */
  readonly workflowConnections: WorkflowConnectionsApi
  /** Connections to workflow engines, and the workflows that can be started. */
  readonly workflowDefinitions: WorkflowDefinitionsApi
  /** Content types, repositories, folders, taxonomies and update packages. */
  readonly repositories: RepositoriesApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly roles: RolesApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly bundles: BundlesApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly permissions: PermissionsApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly users: UsersApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly groups: GroupsApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly serviceAccounts: ServiceAccountsApi
  /** Users, groups, roles, bundles and service accounts. */
  readonly security: SecurityApi
  /** Sites with their sections and pages: publishing, previews and rollback. */
  readonly sites: SitesApi
  /** Sites with their sections and pages: publishing, previews and rollback. */
  readonly sections: SectionsApi
  /** Sites with their sections and pages: publishing, previews and rollback. */
  readonly pages: PagesApi
  /** Background jobs: listing, following, cancelling and retrying them. */
  readonly queue: QueueApi
  /**
   * The administration of the service: search indexes, webhooks, access configurations, settings,
   * health.
   */
  readonly webhooks: WebhooksApi
  /**
   * The administration of the service: search indexes, webhooks, access configurations, settings,
   * health.
   */
  readonly access: AccessApi
  /** Language models: chat, embeddings, and proposals for items. */
  readonly ai: AiApi
  /** Requests to other services through this one. */
  readonly integrations: IntegrationsApi
  /**
   * The administration of the service: search indexes, webhooks, access configurations, settings,
   * health.
   */
  readonly admin: AdminApi
}
