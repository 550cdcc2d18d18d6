/** The page. Its addresses are relative, so that it works below any prefix of a proxy. */
export const explorerPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quire API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="./api-docs/swagger-ui.css">
<div id="explorer"></div>
<script src="./api-docs/swagger-ui-bundle.js"></script>
<script src="./api-docs/start.js"></script>
</html>
`

/**
 * Starts Swagger UI. Calls go to the origin of the page, not to the public address: the browser
 * would block other origins, and the page may be open under another name of the same server.
 */
export function explorerScript(baseUrl: string): string {
  return `const base = ${JSON.stringify(baseUrl)}
const here = new URL('.', location.href).href.replace(/\\/$/, '')
window.ui = SwaggerUIBundle({
  dom_id: '#explorer',
  url: './api-docs/openapi.json',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  requestInterceptor: (request) => {
    if (request.url.startsWith(base + '/')) request.url = here + request.url.slice(base.length)
    return request
  },
})
`
}
