// Generated from the contract by scripts/generate-routes.mjs: do not change by hand.
import { routesOf } from './codec/route-text.ts'

/** What HTTP needs of each endpoint: `routes.<group>.<operation>`. Holds no schema, so that a browser loads none. */
export const routes = routesOf({
  auth: {
    token: 'POST /oauth2/token form',
    keys: 'GET /oauth2/jwks',
    metadata: 'GET /.well-known/oauth-authorization-server',
    myPermissions: 'GET /api/security/me/permissions',
    openSession: 'POST /api/user/session',
    closeSession: 'DELETE /api/user/session 204',
    login: 'GET /api/user/login',
    callback: 'GET /api/user/login/callback',
  },
  user: {
    me: 'GET /api/user/me',
    visit: 'POST /api/user/recent',
  },
  items: {
    getBySlug: 'GET /api/items/{configId}/slug/{slug} line',
    list: 'GET /api/items/{configId} line',
    get: 'GET /api/items/{configId}/{id} line',
    versions: 'GET /api/items/{configId}/{id}/versions line',
    diff: 'GET /api/items/{configId}/{id}/diff line',
    validate: 'POST /api/items/{configId}/{id}/validate line',
    create: 'POST /api/items 201',
    update: 'PATCH /api/items/{configId}/{id} line',
    copy: 'POST /api/items/{configId}/{id}/copy line 201',
    move: 'POST /api/items/{configId}/{id}/move line',
    restore: 'POST /api/items/{configId}/{id}/versions/{version}/restore line',
    categorize: 'PUT /api/items/{configId}/{id}/categories/{categoryId} line',
    decategorize: 'DELETE /api/items/{configId}/{id}/categories/{categoryId} line',
    publish: 'POST /api/items/{configId}/{id}/publish line',
    unpublish: 'POST /api/items/{configId}/{id}/unpublish line',
    archive: 'POST /api/items/{configId}/{id}/archive line',
    unarchive: 'POST /api/items/{configId}/{id}/unarchive line',
    delete: 'DELETE /api/items/{configId}/{id} line 204',
    undelete: 'POST /api/items/{configId}/{id}/undelete line',
    bulk: 'POST /api/items/{configId}/bulk line',
  },
  uploads: {
    capabilities: 'OPTIONS /api/items/upload tus 204',
    create: 'POST /api/items/upload tus 201',
    get: 'HEAD /api/items/upload/{uploadId} tus',
    append: 'PATCH /api/items/upload/{uploadId} tus 204',
    terminate: 'DELETE /api/items/upload/{uploadId} tus 204',
  },
  assets: {
    get: 'GET /api/assets/{configId}/{assetId}/{rendition} line bytes',
    zip: 'POST /api/assets/zip/{configId} line ids bytes',
    create: 'POST /api/assets/{configId} line multipart 201',
    replace: 'PUT /api/assets/{configId}/{assetId}/content line file',
  },
  renditions: {
    list: 'GET /api/renditions/{configId}/{assetId} line',
    upload: 'PUT /api/renditions/{configId}/{assetId}/{rendition} line file',
    remove: 'DELETE /api/renditions/{configId}/{assetId}/{rendition} line',
  },
  renditionPresets: {
    crud: '/api/renditions/{configId}/presets/{name}',
  },
  published: {
    items: 'GET /api/published/items/{configId}',
    item: 'GET /api/published/items/{configId}/{id}',
    itemBySlug: 'GET /api/published/items/{configId}/slug/{slug}',
    asset: 'GET /api/published/assets/{configId}/{assetId}/{rendition} bytes',
    assetBySlug: 'GET /api/published/assets/{configId}/slug/{slug}/{rendition} bytes',
    embed: 'GET /api/embed/{configId}/{assetId} bytes',
    oembed: 'GET /api/oembed',
  },
  types: {
    crud: '/api/content/management/types/{id}',
    lock: 'POST /api/content/management/types/{id}/lock',
    unlock: 'DELETE /api/content/management/types/{id}/lock',
  },
  folders: {
    crud: '/api/content/management/folders/{configId}/{id} line',
    tree: 'GET /api/content/management/folders/{configId}/tree line',
    move: 'POST /api/content/management/folders/{configId}/{id}/move line',
  },
  taxonomies: {
    crud: '/api/content/management/taxonomies/{configId}/{id} line',
  },
  categories: {
    crud: '/api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id} line',
    move: 'POST /api/content/management/taxonomies/{configId}/{taxonomyId}/categories/{id}/move line',
  },
  references: {
    sites: 'GET /api/references/{configId}/{assetId}/sites line',
    items: 'GET /api/references/{configId}/{itemId}/items line',
  },
  dependencies: {
    get: 'GET /api/dependencies/{configId}/{itemId} line',
  },
  activity: {
    get: 'GET /api/activity/{configId}/{assetId} line',
    list: 'GET /api/activity/{configId}',
  },
  events: {
    stream: 'GET /api/events events',
  },
  queries: {
    run: 'POST /api/queries/{configId} line',
    runSaved: 'GET /api/queries/{configId}/saved/{name}/results line',
  },
  savedQueries: {
    crud: '/api/queries/{configId}/saved/{name}',
  },
  graphql: {
    execute: 'POST /api/graphql/{configId} line',
    query: 'GET /api/graphql/{configId} line',
    schema: 'GET /api/graphql/{configId}/schema bytes',
  },
  packages: {
    crud: '/api/content/management/packages/{repo}/{packageName}',
    changes: 'GET /api/content/management/packages/{repo}/{packageName}/changes',
    diff: 'GET /api/content/management/packages/{repo}/{packageName}/diff',
    conflicts: 'GET /api/content/management/packages/{repo}/{packageName}/conflicts',
    pageDiff: 'POST /api/content/management/packages/{repo}/{packageName}/page-diff',
    showPageDiff: 'GET /api/content/management/page-diffs/{diffKey} bytes',
    addItem: 'POST /api/content/management/packages/{repo}/{packageName}/items',
    removeChange: 'DELETE /api/content/management/packages/{repo}/{packageName}/changes/{entityId} 204',
    sync: 'POST /api/content/management/packages/{repo}/{packageName}/sync',
    merge: 'POST /api/content/management/packages/{repo}/{packageName}/merge',
    revert: 'POST /api/content/management/packages/{repo}/{packageName}/revert 201',
  },
  autoPackage: {
    createAndSave: 'POST /api/content/management/packages/auto-package/create-and-save jsonOrMultipart',
  },
  autoPackageRules: {
    crud: '/api/content/management/packages/auto-package/rules/{id}',
  },
  workflow: {
    event: 'POST /api/workflow/events',
    status: 'POST /api/workflow/status signed',
    get: 'GET /api/workflow/{repo}/{packageName}',
    inbox: 'GET /api/workflow/{repo}',
  },
  workflowConnections: {
    crud: '/api/admin/workflow/connections/{id}',
    test: 'POST /api/admin/workflow/connections/{id}/test',
  },
  workflowDefinitions: {
    crud: '/api/admin/workflow/definitions/{id}',
  },
  repositories: {
    list: 'GET /api/content/management/repositories',
    get: 'GET /api/content/management/repositories/{id}',
    create: 'POST /api/admin/repositories 201',
    update: 'PATCH /api/admin/repositories/{id}',
    delete: 'DELETE /api/admin/repositories/{id} 204',
  },
  roles: {
    crud: '/api/security/roles/{id}',
  },
  bundles: {
    crud: '/api/security/bundles/{id}',
  },
  permissions: {
    catalog: 'GET /api/security/permissions',
  },
  users: {
    crud: '/api/security/users/{id}',
    permissions: 'GET /api/security/users/{id}/permissions',
    getPreferences: 'GET /api/security/users/{id}/preferences',
    replacePreferences: 'PUT /api/security/users/{id}/preferences',
    createSignInLink: 'POST /api/security/users/{id}/sign-in-link',
  },
  groups: {
    crud: '/api/security/groups/{id}',
  },
  serviceAccounts: {
    crud: '/api/security/serviceAccounts/{id}',
    addSecret: 'POST /api/security/serviceAccounts/{id}/secrets 201',
    removeSecret: 'DELETE /api/security/serviceAccounts/{id}/secrets/{secretId}',
  },
  security: {
    userInfo: 'GET /api/security/info/user/{id}',
    roleInfo: 'GET /api/security/info/role/{id}',
    groupInfo: 'GET /api/security/info/group/{id}',
    serviceAccountInfo: 'GET /api/security/info/serviceAccount/{id}',
    audit: 'GET /api/security/audit',
    rotateKeys: 'POST /api/security/keys/rotate',
  },
  sites: {
    crud: '/api/sites/{configId}/{siteId} line',
    tree: 'GET /api/sites/{configId}/{siteId}/tree line',
    publish: 'POST /api/sites/{configId}/{siteId}/publish 202',
    publications: 'GET /api/sites/{configId}/{siteId}/publications',
    rollback: 'POST /api/sites/{configId}/{siteId}/publications/{id}/activate',
    export: 'GET /api/sites/{configId}/{siteId}/publications/{id}/zip bytes',
    preview: 'GET /api/sites/{configId}/{siteId}/preview/{path*} line bytes',
    serve: 'GET /sites/{siteSlug}/{path*} bytes',
  },
  sections: {
    crud: '/api/sites/{configId}/{siteId}/sections/{id} line',
    move: 'POST /api/sites/{configId}/{siteId}/sections/{id}/move line',
  },
  pages: {
    crud: '/api/sites/{configId}/{siteId}/pages/{id} line',
    move: 'POST /api/sites/{configId}/{siteId}/pages/{id}/move line',
  },
  queue: {
    list: 'GET /api/queue',
    stats: 'GET /api/queue/stats',
    get: 'GET /api/queue/{jobId}',
    watch: 'GET /api/queue/{jobId}/events events',
    cancel: 'POST /api/queue/{jobId}/cancel',
    retry: 'POST /api/queue/{jobId}/retry 202',
  },
  webhooks: {
    crud: '/api/admin/webhooks/{id}',
    test: 'POST /api/admin/webhooks/{id}/test 202',
    deliveries: 'GET /api/admin/webhooks/{id}/deliveries',
    redeliver: 'POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver 202',
  },
  access: {
    list: 'GET /api/admin/access',
    get: 'GET /api/admin/access/{id}',
    delete: 'DELETE /api/admin/access/{id} 204',
  },
  ai: {
    providers: 'GET /api/ai',
    chat: 'POST /api/ai/{accessId}/chat/completions passed',
    embeddings: 'POST /api/ai/{accessId}/embeddings passed',
    models: 'GET /api/ai/{accessId}/models passed',
    task: 'POST /api/ai/{accessId}/tasks/{task}',
  },
  integrations: {
    list: 'GET /api/integration',
    pass: 'POST /api/integration/{accessId}/{path*} message passed',
  },
  admin: {
    indexes: 'GET /api/admin/indexes',
    index: 'GET /api/admin/indexes/{id}',
    rebuildIndex: 'POST /api/admin/indexes/{id}/rebuild 202',
    process: 'POST /api/admin/process/{id}',
    generateKey: 'POST /api/admin/access/generatekey 201',
    settings: 'GET /api/admin/settings',
    updateSettings: 'PATCH /api/admin/settings',
    health: 'GET /api/admin/health',
  },
})
