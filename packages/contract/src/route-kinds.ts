// Generated from the contract by scripts/generate-routes.mjs: do not edit.

/** The operations of each group, by method and by the form of a response that is streamed. */
export interface RouteKinds {
  readonly auth: {
    readonly POST: 'token' | 'openSession'
    readonly GET: 'keys' | 'metadata' | 'myPermissions' | 'login' | 'callback'
    readonly DELETE: 'closeSession'
  }
  readonly user: {
    readonly GET: 'me'
    readonly POST: 'visit'
  }
  readonly items: {
    readonly GET: 'getBySlug' | 'list' | 'get' | 'versions' | 'diff' | 'schedule'
    readonly POST: 'validate' | 'preview' | 'create' | 'copy' | 'move' | 'restore' | 'publish' | 'unpublish' | 'archive' | 'unarchive' | 'undelete' | 'bulk' | 'importRows'
    readonly PATCH: 'update'
    readonly PUT: 'categorize'
    readonly DELETE: 'decategorize' | 'delete'
    readonly 'POST bytes': 'exportRows'
  }
  readonly uploads: {
    readonly OPTIONS: 'capabilities'
    readonly POST: 'create'
    readonly HEAD: 'get'
    readonly PATCH: 'append'
    readonly DELETE: 'terminate'
  }
  readonly assets: {
    readonly 'GET bytes': 'get'
    readonly 'POST bytes': 'zip'
    readonly POST: 'create' | 'createFromUrl'
    readonly PUT: 'replace'
  }
  readonly renditions: {
    readonly GET: 'list'
    readonly PUT: 'upload'
    readonly DELETE: 'remove'
  }
  readonly renditionPresets: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly published: {
    readonly GET: 'items' | 'item' | 'itemBySlug' | 'oembed'
    readonly 'GET bytes': 'asset' | 'assetBySlug' | 'embed'
  }
  readonly types: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create' | 'lock'
    readonly PATCH: 'update'
    readonly DELETE: 'delete' | 'unlock'
  }
  readonly schema: {
    readonly GET: 'get'
    readonly POST: 'plan' | 'startPlan' | 'apply'
  }
  readonly folders: {
    readonly GET: 'list' | 'tree' | 'get'
    readonly POST: 'create' | 'move'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly taxonomies: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly categories: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create' | 'move'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly references: {
    readonly GET: 'sites' | 'items'
  }
  readonly dependencies: {
    readonly GET: 'get'
  }
  readonly translations: {
    readonly GET: 'list'
    readonly POST: 'confirm' | 'import'
    readonly 'POST bytes': 'export'
  }
  readonly activity: {
    readonly GET: 'get' | 'list'
  }
  readonly events: {
    readonly 'GET events': 'stream'
  }
  readonly queries: {
    readonly POST: 'run'
    readonly GET: 'runSaved'
  }
  readonly savedQueries: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly graphql: {
    readonly POST: 'execute'
    readonly GET: 'query'
    readonly 'GET bytes': 'schema'
  }
  readonly packages: {
    readonly GET: 'list' | 'get' | 'changes' | 'diff' | 'conflicts' | 'comments' | 'shareLinks'
    readonly POST: 'pageDiff' | 'create' | 'addItem' | 'sync' | 'merge' | 'revert' | 'addComment' | 'addShareLink' | 'takeBack'
    readonly 'GET bytes': 'showPageDiff' | 'shared'
    readonly PATCH: 'update' | 'updateComment'
    readonly DELETE: 'delete' | 'removeChange' | 'removeShareLink'
  }
  readonly autoPackage: {
    readonly POST: 'createAndSave'
  }
  readonly autoPackageRules: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly workflow: {
    readonly POST: 'event' | 'status'
    readonly GET: 'get' | 'inbox'
  }
  readonly workflowConnections: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create' | 'test'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly workflowDefinitions: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly repositories: {
    readonly GET: 'list' | 'get' | 'usage'
    readonly POST: 'create' | 'setLocales' | 'import'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
    readonly 'POST bytes': 'export'
  }
  readonly roles: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly bundles: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly permissions: {
    readonly GET: 'catalog'
  }
  readonly users: {
    readonly GET: 'list' | 'get' | 'permissions' | 'usage' | 'getPreferences'
    readonly POST: 'create' | 'createSignInLink'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
    readonly PUT: 'replacePreferences'
  }
  readonly groups: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly serviceAccounts: {
    readonly GET: 'list' | 'get' | 'permissions' | 'usage'
    readonly POST: 'create' | 'addSecret'
    readonly PATCH: 'update'
    readonly DELETE: 'delete' | 'removeSecret'
  }
  readonly security: {
    readonly GET: 'userInfo' | 'roleInfo' | 'groupInfo' | 'serviceAccountInfo' | 'audit'
    readonly POST: 'rotateKeys'
  }
  readonly sites: {
    readonly GET: 'list' | 'get' | 'tree' | 'publications'
    readonly POST: 'create' | 'publish' | 'rollback'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
    readonly 'GET bytes': 'export' | 'preview' | 'serve'
  }
  readonly sections: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create' | 'move'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly pages: {
    readonly GET: 'list' | 'get'
    readonly POST: 'create' | 'move'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly queue: {
    readonly GET: 'list' | 'stats' | 'get'
    readonly 'GET events': 'watch'
    readonly POST: 'cancel' | 'retry'
  }
  readonly webhooks: {
    readonly GET: 'list' | 'get' | 'deliveries'
    readonly POST: 'create' | 'test' | 'redeliver'
    readonly PATCH: 'update'
    readonly DELETE: 'delete'
  }
  readonly access: {
    readonly GET: 'list' | 'get'
    readonly DELETE: 'delete'
  }
  readonly ai: {
    readonly GET: 'providers'
    readonly 'POST proxied': 'chat' | 'embeddings'
    readonly 'GET proxied': 'models'
    readonly POST: 'task'
  }
  readonly integrations: {
    readonly GET: 'list'
    readonly 'POST proxied': 'pass'
  }
  readonly admin: {
    readonly GET: 'indexes' | 'index' | 'settings' | 'health'
    readonly POST: 'rebuildIndex' | 'process' | 'generateKey'
    readonly PATCH: 'updateSettings'
  }
}
