/** What the tags of specification 1 stand for. A test finds one that is missing here. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: 'Access tokens, the keys that verify them, and what you may do',
  Items: 'Content items: read, write, versions, publishing',
  Assets: 'The files of items: fetch, replace, download as an archive',
  Renditions: 'Derived and hand-made pictures of assets, and presets',
  'Content Management': 'Content types, repositories, folders, taxonomies and update packages',
  'Published Assets': 'What is published, without a token where the repository is public; embeds',
  User: 'Who you are, and what you visited',
  Security: 'Users, groups, roles, bundles and service accounts',
  References: 'Who refers to an item',
  Dependencies: 'What an item needs, and what needs it',
  Activity: 'Who did what, when and from where; and what happens now',
  Queries: 'Search, filters, facets and highlights; queries kept under a name',
  GraphQL: 'The content of a repository as a graph',
  Sites: 'Sites with their sections and pages: publish them, look at them before, and go back',
  Workflow: 'The review of packages by an external engine',
  'Workflow Admin': 'Connections to workflow engines, and the workflows that can be started',
  Queue: 'The jobs that go on after an answer: look at them, follow, cancel and repeat them',
  AI: 'Language models: asked, and asked for proposals for items',
  Integration: 'Services of others, reached through this one',
  Admin:
    'The administration of the service: search indexes, webhooks, access configurations, settings, health',
}
