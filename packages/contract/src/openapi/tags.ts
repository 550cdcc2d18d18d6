/** The descriptions of the tags of specification 1. A test reports any that are missing. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: 'Access tokens, the keys that verify them, and your permissions',
  Items: 'Content items: reading, writing, versions, publishing',
  Assets: 'The files of items: fetching, replacing, downloading as an archive',
  Renditions: 'Derived and custom pictures of assets, and presets',
  'Content Management': 'Content types, repositories, folders, taxonomies and update packages',
  'Published Assets': 'Published content, without a token if the repository is public; embeds',
  User: 'The current caller, and recently visited repositories and sites',
  Security: 'Users, groups, roles, bundles and service accounts',
  References: 'What refers to an item',
  Dependencies: 'What an item needs, and what needs it',
  Activity: 'Who did what, when and from where, and events as they happen',
  Queries: 'Search, filters, facets and highlights; saved queries',
  GraphQL: 'The content of a repository through GraphQL',
  Sites: 'Sites with their sections and pages: publishing, previews and rollback',
  Workflow: 'The review of packages by an external engine',
  'Workflow Admin': 'Connections to workflow engines, and the workflows that can be started',
  Queue: 'Background jobs: listing, following, cancelling and retrying them',
  AI: 'Language models: chat, embeddings, and proposals for items',
  Integration: 'Requests to other services through this one',
  Admin:
    'The administration of the service: search indexes, webhooks, access configurations, settings, health',
}
