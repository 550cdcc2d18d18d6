// Generated from the contract by scripts/generate-routes.mjs: do not edit.
import { routesOf } from './codec/route-text.ts'
import type { TypedRoutes } from './codec/typed-route.ts'
import type { RouteKinds } from './route-kinds.ts'

/** The HTTP route of each endpoint: `routes.<group>.<operation>`. Has no schemas, so that a browser loads none. */
export const routes = routesOf(`
auth /user
token POST //oauth2/token form
keys //oauth2/jwks
metadata //.well-known/oauth-authorization-server
myPermissions //api/security/me/permissions
openSession POST /session
closeSession DELETE /session
login /*
callback /login/*

user /user
me /*
visit POST /recent

items /items/{configId}
getBySlug /slug/{slug}
list
get /{id}
versions /{id}/*
diff /{id}/*
schedule /{id}/*
validate POST /{id}/*
preview POST /{id}/*
create POST //api/items
update PATCH /{id}
copy POST /{id}/*
move POST /{id}/*
restore POST /{id}/versions/{version}/*
categorize PUT /{id}/categories/{categoryId}
decategorize DELETE /{id}/categories/{categoryId}
publish POST /{id}/*
unpublish POST /{id}/*
archive POST /{id}/*
unarchive POST /{id}/*
delete DELETE /{id}
undelete POST /{id}/*
bulk POST /*
exportRows POST /rows/export >bytes
importRows POST /rows/import file

uploads /items/upload
capabilities OPTIONS tus
create POST tus
get HEAD /{uploadId} tus
append PATCH /{uploadId} tus
terminate DELETE /{uploadId} tus

assets /assets/{configId}
get /{assetId}/{rendition} >bytes
zip POST //api/assets/zip/{configId} ids >bytes
create POST multipart
createFromUrl POST /from-url
replace PUT /{assetId}/content file

renditions /renditions/{configId}/{assetId}
list
upload PUT /{rendition} file
remove DELETE /{rendition}

renditionPresets /renditions/{configId}/presets
crud /{name} main

published /published/items/{configId}
items main
item /{id} main
itemBySlug /slug/{slug} main
asset //api/published/assets/{configId}/{assetId}/{rendition} main >bytes
assetBySlug //api/published/assets/{configId}/slug/{slug}/{rendition} main >bytes
embed //api/embed/{configId}/{assetId} main >bytes
oembed //api/oembed

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
export POST /* >bytes
import POST /* file

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

packages /content/management/packages/{repo}/{packageName}
list //api/content/management/packages/{repo}
get
changes /*
diff /*
conflicts /*
pageDiff POST /page-diff
showPageDiff //api/content/management/page-diffs/{diffKey} >bytes
create POST //api/content/management/packages/{repo}
update PATCH
delete DELETE
addItem POST /items
removeChange DELETE /changes/{entityId}
sync POST /*
merge POST /*
revert POST /*
comments /*
addComment POST /comments
updateComment PATCH /comments/{id}
shareLinks /share-links
addShareLink POST /share-links
removeShareLink DELETE /share-links/{id}
shared //shared/{token}/{path*} >bytes
takeBack POST //api/content/management/packages/{repo}/take-back

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

repositories /admin/repositories/{id}
list //api/content/management/repositories
get //api/content/management/repositories/{id}
usage /*
create POST //api/admin/repositories
update PATCH
delete DELETE
setLocales POST /locales
export POST /* >bytes
import POST /* file

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
permissions /{id}/*
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

queue /queue/{jobId}
list //api/queue
stats //api/queue/stats
get
watch /events >events
cancel POST /*
retry POST /*

webhooks /admin/webhooks
crud /{id}
test POST /{id}/*
deliveries /{id}/*
redeliver POST /{id}/deliveries/{deliveryId}/*

access /admin/access
list
get /{id}
delete DELETE /{id}

ai /ai/{accessId}
providers //api/ai
chat POST /chat/completions >proxied
embeddings POST /* >proxied
models /* >proxied
task POST /tasks/{task}

integrations /integration/{accessId}/{path*}
list //api/integration
pass POST message >proxied

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
