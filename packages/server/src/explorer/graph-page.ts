/** The page. Its addresses are relative, so that it works below any prefix of a proxy. */
export const graphPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL · Quire</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../graphiql/graphiql.css">
<body class="no-focus-outline">
<div id="explorer"></div>
<script src="../graphiql/graphiql.js"></script>
<script src="../graphiql/start.js"></script>
</body>
</html>
`

/**
 * Starts GraphiQL for the repository at the end of the page's address. A browser that is signed in
 * sends requests as its user. Others enter a token under "Headers", which is not stored.
 */
export const graphScript = `const repository = decodeURIComponent(location.pathname.split('/').at(-1))
document.title = repository + ' · GraphQL · Quire'
const here = new URL('.', document.currentScript.src)
const workers = { editorWorkerService: 'editor.worker.js', json: 'json.worker.js', graphql: 'graphql.worker.js' }
window.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => new URL(workers[label], here).href,
}
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#explorer'), {
  endpoint: new URL('../../api/graphql/' + encodeURIComponent(repository), here).href,
  credentials: 'same-origin',
  title: 'Quire',
  logo: '',
  shouldPersistHeaders: false,
  defaultQuery: [
    '# The graph of ' + JSON.stringify(repository) + '.',
    '# The book icon on the left opens the documentation of the schema.',
    '# Not signed in here? Enter this under "Headers":',
    '# { "Authorization": "Bearer <token>" }',
    '',
    '{',
    '  __schema { queryType { fields { name description } } }',
    '}',
    '',
  ].join('\\n'),
})
`
