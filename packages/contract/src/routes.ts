// Generated from the contract by scripts/generate-routes.mjs: do not edit.
import { routesOf } from './codec/route-text.ts'
import type { TypedRoutes } from './codec/typed-route.ts'
import type { RouteKinds } from './route-kinds.ts'

/** The HTTP route of each endpoint: `routes.<group>.<operation>`. Has no schemas, so that a browser loads none. */
export const routes = routesOf(`
auth
token POST //oauth2/token form
keys //oauth2/jwks
metadata //.well-known/oauth-authorization-server
myPermissions /security/me/permissions
openSession POST /user/session
closeSession DELETE /user/session
login /user/*
callback /user/login/*

user /user
me /*
visit POST /recent

items /items
getBySlug /{configId}/slug/{slug}
list /{configId}
get /{configId}/{id}
versions /{configId}/{id}/*
diff /{configId}/{id}/*
validate POST /{configId}/{id}/*
create POST
update PATCH /{configId}/{id}
copy POST /{configId}/{id}/*
move POST /{configId}/{id}/*
restore POST /{configId}/{id}/versions/{version}/*
categorize PUT /{configId}/{id}/categories/{categoryId}
decategorize DELETE /{configId}/{id}/categories/{categoryId}
publish POST /{configId}/{id}/*
unpublish POST /{configId}/{id}/*
archive POST /{configId}/{id}/*
unarchive POST /{configId}/{id}/*
delete DELETE /{configId}/{id}
undelete POST /{configId}/{id}/*
bulk POST /{configId}/*
exportRows POST /{configId}/rows/export >bytes
importRows POST /{configId}/rows/import file

uploads /items/upload
capabilities OPTIONS tus
create POST tus
get HEAD /{uploadId} tus
append PATCH /{uploadId} tus
terminate DELETE /{uploadId} tus

assets /assets
get /{configId}/{assetId}/{rendition} >bytes
zip POST /zip/{configId} ids >bytes
create POST /{configId} multipart
replace PUT /{configId}/{assetId}/content file

renditions /renditions/{configId}/{assetId}
list
upload PUT /{rendition} file
remove DELETE /{rendition}

renditionPresets /renditions/{configId}/presets
crud /{name} main

published
items /published/items/{configId} main
item /published/items/{configId}/{id} main
itemBySlug /published/items/{configId}/slug/{slug} main
asset /published/assets/{configId}/{assetId}/{rendition} main >bytes
assetBySlug /published/assets/{configId}/slug/{slug}/{rendition} main >bytes
embed /embed/{configId}/{assetId} main >bytes
oembed /*

types /content/management/types
crud /{id}
lock POST /{id}/*
unlock DELETE /{id}/lock

schema /content/management/schema
get
plan POST /*
startPlan POST /*
apply POST /*

folders /content/management/folders/{configId}
crud /{id}
tree /*
move POST /{id}/*

taxonomies /content/management/taxonomies/{configId}
crud /{id}

categories /content/management/taxonomies/{configId}/{taxonomyId}/categories
crud /{id}
move POST /{id}/*

references /references/{configId}
sites /{assetId}/*
items /{itemId}/*

dependencies /dependencies/{configId}/{itemId}
get

translations /translations/{configId}
list
confirm POST /*

activity /activity/{configId}
get /{assetId}
list main

events /events
stream >events

queries /queries/{configId}
run POST
runSaved /saved/{name}/results

savedQueries /queries/{configId}/saved
crud /{name} main

graphql /graphql/{configId}
execute POST
query
schema /* main >bytes

packages /content/management
crud /packages/{repo}/{packageName}
changes /packages/{repo}/{packageName}/*
diff /packages/{repo}/{packageName}/*
conflicts /packages/{repo}/{packageName}/*
pageDiff POST /packages/{repo}/{packageName}/page-diff
showPageDiff /page-diffs/{diffKey} >bytes
addItem POST /packages/{repo}/{packageName}/items
removeChange DELETE /packages/{repo}/{packageName}/changes/{entityId}
sync POST /packages/{repo}/{packageName}/*
merge POST /packages/{repo}/{packageName}/*
revert POST /packages/{repo}/{packageName}/*

autoPackage /content/management/packages/auto-package/create-and-save
createAndSave POST jsonOrMultipart

autoPackageRules /content/management/packages/auto-package/rules
crud /{id}

workflow /workflow
event POST /events
status POST /* signed
get /{repo}/{packageName}
inbox /{repo}

workflowConnections /admin/workflow/connections
crud /{id}
test POST /{id}/*

workflowDefinitions /admin/workflow/definitions
crud /{id}

repositories
list /content/management/repositories
get /content/management/repositories/{id}
usage /admin/repositories/{id}/*
create POST /admin/repositories
update PATCH /admin/repositories/{id}
delete DELETE /admin/repositories/{id}
export POST /admin/repositories/{id}/* >bytes
import POST /admin/repositories/{id}/* file

roles /security/roles
crud /{id}

bundles /security/bundles
crud /{id}

permissions /security/permissions
catalog

users /security/users
crud /{id}
permissions /{id}/*
usage /{id}/*
getPreferences /{id}/preferences
replacePreferences PUT /{id}/preferences
createSignInLink POST /{id}/sign-in-link

groups /security/groups
crud /{id}

serviceAccounts /security/serviceAccounts
crud /{id}
usage /{id}/*
addSecret POST /{id}/secrets
removeSecret DELETE /{id}/secrets/{secretId}

security /security
userInfo /info/user/{id}
roleInfo /info/role/{id}
groupInfo /info/group/{id}
serviceAccountInfo /info/serviceAccount/{id}
audit /*
rotateKeys POST /keys/rotate

sites /sites/{configId}
crud /{siteId}
tree /{siteId}/*
publish POST /{siteId}/* main
publications /{siteId}/* main
rollback POST /{siteId}/publications/{id}/activate main
export /{siteId}/publications/{id}/zip main >bytes
preview /{siteId}/preview/{path*} >bytes
serve //sites/{siteSlug}/{path*} >bytes

sections /sites/{configId}/{siteId}/sections
crud /{id}
move POST /{id}/*

pages /sites/{configId}/{siteId}/pages
crud /{id}
move POST /{id}/*

queue /queue
list
stats /*
get /{jobId}
watch /{jobId}/events >events
cancel POST /{jobId}/*
retry POST /{jobId}/*

webhooks /admin/webhooks
crud /{id}
test POST /{id}/*
deliveries /{id}/*
redeliver POST /{id}/deliveries/{deliveryId}/*

access /admin/access
list
get /{id}
delete DELETE /{id}

ai /ai
providers
chat POST /{accessId}/chat/completions >proxied
embeddings POST /{accessId}/* >proxied
models /{accessId}/* >proxied
task POST /{accessId}/tasks/{task}

integrations /integration
list
pass POST /{accessId}/{path*} message >proxied

admin /admin
indexes /*
index /indexes/{id}
rebuildIndex POST /indexes/{id}/rebuild
process POST /process/{id}
generateKey POST /access/generatekey
settings /*
updateSettings PATCH /settings
health /*
`) as unknown as TypedRoutes<RouteKinds>
