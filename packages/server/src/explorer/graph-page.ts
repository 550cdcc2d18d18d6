/** The page. Its addresses are relative, so that it works below any prefix of a proxy. */
export const graphPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL · Quire</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../graphiql/graphiql.css">
<body class="no-focus-outline">
<form id="token" class="graphiql-dialog" style="padding: 8px 24px" hidden>
<p>This graph is not open to everybody: sign in at this service, or enter an access token.
<code>quire token</code> prints one.</p>
<p><label>Access token <input name="token" type="password" autocomplete="off" required></label>
<button>Open the graph</button></p>
<p><output></output></p>
</form>
<div id="explorer"></div>
<script src="../graphiql/graphiql.js"></script>
<script src="../graphiql/start.js"></script>
</body>
</html>
`

/**
 * Starts GraphiQL for the repository at the end of the page's address. A browser that is signed in
 * sends requests as its user, and an open graph answers everybody. Others are asked for a token
 * first, because GraphiQL would begin with the error of its own first query. The token goes into its
 * "Headers" and is not stored.
 */
export const graphScript = `const repository = decodeURIComponent(location.pathname.split('/').at(-1))
document.title = repository + ' · GraphQL · Quire'
const here = new URL('.', document.currentScript.src)
const endpoint = new URL('../../api/graphql/' + encodeURIComponent(repository), here).href
const explorer = document.querySelector('#explorer')
const workers = { editorWorkerService: 'editor.worker.js', json: 'json.worker.js', graphql: 'graphql.worker.js' }
window.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => new URL(workers[label], here).href,
}

function start(token) {
  YogaGraphiQL.renderYogaGraphiQL(explorer, {
    endpoint,
    credentials: 'same-origin',
    title: 'Quire',
    logo: '',
    shouldPersistHeaders: false,
    headers: token ? JSON.stringify({ Authorization: 'Bearer ' + token }, null, 2) : '',
    defaultQuery: [
      '# The graph of ' + JSON.stringify(repository) + '.',
      '# The book icon on the left opens the documentation of the schema.',
      '',
      '{',
      '  __schema { queryType { fields { name description } } }',
      '}',
      '',
    ].join('\\n'),
  })
}

function send(token) {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: 'Bearer ' + token }) },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
}

function ask() {
  const form = document.querySelector('#token')
  const said = form.querySelector('output')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const token = form.elements.token.value.trim()
    const { status } = await send(token).catch(() => ({ status: 0 }))
    if (status === 401) return void (said.value = 'This token is not valid, or it has expired.')
    if (status === 0) return void (said.value = 'The service does not respond.')
    form.remove()
    start(token)
  })
}

send()
  .then(({ status }) => (status === 401 ? ask() : start()))
  .catch(() => start())
`
