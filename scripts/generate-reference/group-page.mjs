import { anchor, code, page, table, tick } from './markdown.mjs'
import { memberRows, typeText, whatText } from './types.mjs'

const titles = {
  auth: ['Auth', 'Tokens, the keys that verify them, and your permissions.'],
  user: ['User', 'The current caller, and recently visited repositories and sites.'],
  items: ['Items', 'Create, read, list, change, publish, archive, delete and compare items.'],
  uploads: ['Uploads', 'Upload files in pieces, resumably (TUS 1.0).'],
  assets: ['Assets', 'Create assets, fetch their files and renditions, replace files, download archives.'],
  renditions: ['Renditions', 'List the renditions of an asset, and upload custom ones.'],
  renditionPresets: ['Rendition presets', 'Named settings of derived pictures in a repository.'],
  published: [
    'Published content',
    'Read published items and assets, without a token if the repository is public.',
  ],
  types: ['Content types', 'Define the fields of items, and change them while items exist.'],
  folders: ['Folders', 'The tree of folders that items are filed in.'],
  taxonomies: ['Taxonomies', 'Trees of categories.'],
  categories: ['Categories', 'The categories of a taxonomy.'],
  references: ['References', 'What refers to an item, and where it is shown on sites.'],
  dependencies: ['Dependencies', 'What an item needs, and what needs it.'],
  translations: ['Translations', 'What is translated, what is missing, and what its source has left behind.'],
  activity: ['Activity', 'Who did what, when and from where.'],
  queries: ['Queries', 'Search and filter items, with facets and highlights.'],
  savedQueries: ['Saved queries', 'Queries that are saved under a name.'],
  sites: ['Sites', 'Templates, the tree, publishing, publications, previews, and serving.'],
  sections: ['Sections', 'The sections of a site, a tree that contains the pages.'],
  pages: ['Pages', 'The pages of a site, each of which shows an item through a template.'],
  schema: ['Schema', 'All content types together, as code defines them.'],
  repositories: ['Repositories', 'Namespaces of content with their own settings.'],
  roles: ['Roles', 'Sets of permissions, and who has them.'],
  bundles: ['Bundles', 'Named sets of permission keys.'],
  permissions: ['Permission keys', 'The catalogue of permission keys.'],
  users: ['Users', 'Users, their permissions, preferences and sign-in links.'],
  groups: ['Groups', 'Groups of users, whose roles apply to their members.'],
  security: ['Security', 'Related ids, the audit log, and the rotation of keys.'],
  serviceAccounts: ['Service accounts', 'Accounts for programs, with secrets that can be rotated.'],
  events: ['Events', 'Stream events as they happen.'],
  graphql: ['GraphQL', 'The content of a repository through GraphQL.'],
  workflow: ['Workflow', 'The review of packages by an external engine.'],
  workflowConnections: ['Workflow connections', 'Connections to workflow engines.'],
  workflowDefinitions: ['Workflow definitions', 'Workflows that can be started.'],
  packages: ['Packages', 'Branches of a repository, with changes, review, conflicts, merge, sync, revert.'],
  autoPackage: ['Saves into packages', 'Save an item into a package, as an auto-package rule requires.'],
  autoPackageRules: ['Auto-package rules', 'Rules that send saves to main into a package.'],
  queue: ['Queue', 'Background jobs, and how to list, follow, cancel and retry them.'],
  webhooks: ['Webhooks', 'Webhooks and their deliveries.'],
  access: ['Access configurations', 'Upstreams and their credentials.'],
  ai: ['AI', 'Chat, embeddings, and proposals for items by language models.'],
  integrations: ['Integrations', 'Requests to other services through this one.'],
  admin: ['Admin', 'Search indexes, maintenance jobs, access configurations, settings and health.'],
}

/** The title and summary of a group's page. Errors: Error for a group without one. */
export function titleOf(group) {
  if (!titles[group]) throw new Error(`Add a title for the group ${group} to ${import.meta.filename}.`)
  const [title, summary] = titles[group]
  return { title, summary }
}

export function groupPage({ group, members, order }) {
  return page({ ...titleOf(group), order }, overview(members), members.map(operationText))
}

function overview(members) {
  const rows = members.map(({ group, operation, endpoint }) => [
    `[${operation}](#${anchor(`${group}.${operation}`)})`,
    tick(`${endpoint.method} ${endpoint.path}`),
    endpoint.summary,
  ])
  return table(['operation', 'HTTP', 'description'], rows)
}

function operationText(described) {
  const { group, operation, endpoint } = described
  const { summary, description } = endpoint
  return [
    `## ${group}.${operation}`,
    [`${summary}.`, description].filter(Boolean).join(' '),
    bindingText(endpoint),
    `**Permission:** ${permissionText(endpoint.permission, described.keys)}`,
    inputText(described),
    answerText(described),
    errorsText(described),
    exampleText(described),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function bindingText({ method, path, packagePath }) {
  const onPackage =
    packagePath && `, or \`${method} ${packagePath}\` on the branch of a package (\`packageName\`)`
  return `**HTTP:** \`${method} ${path}\`${onPackage ?? ''}`
}

/** Where a key is needed, in the words of a reader. */
const targetTexts = {
  global: 'everywhere',
  repository: 'on the repository',
  type: 'on the content type in the repository',
  item: 'on the content type of the item',
  site: 'on the site or its repository',
  each: 'on each thing that it reads or changes',
}

function permissionText(permission, keys) {
  if (permission === 'public') return 'none; needs no token'
  if (permission === 'published') return 'none if the repository is public; otherwise permission to read it'
  if (permission === 'authenticated') return 'any valid token'
  const named = keys.map((key) => `[${key}](permissions.md)`).join(' or ')
  return `${named}, ${targetTexts[permission.on]}`
}

function inputText({ members, headers }) {
  const rows = members.flatMap(({ name, place, schema, isRequired }) => {
    const own = { name, place, schema, isRequired, type: typeText(schema) }
    const inner = memberRows({ properties: { [name]: schema } }).slice(1)
    return [own, ...inner.map((row) => ({ ...row, place: '' }))]
  })
  const cells = rows.map(({ name, place, type, isRequired, schema }) => [
    isRequired && place !== '' ? `**${name}**` : name,
    place,
    type,
    whatText(schema),
  ])
  const extra = headers.map(({ name, description, required }) => [
    required ? `**${name}**` : name,
    'header',
    'string',
    `${description}.`,
  ])
  const all = [...cells, ...extra]
  return all.length === 0 ? '**Input:** none' : table(['input', 'in', 'type', 'description'], all)
}

function answerText({ answer, endpoint }) {
  const { status, schema, isDryRunToo, headers } = answer
  if (!schema) {
    const dry = isDryRunToo ? '; with `dryRun` 200 and a report of what would happen' : ''
    const rows = headers.map(({ name, description }) => [name, 'string', `${description}.`])
    return [`**Response:** ${status} without a body${dry}`, table(['header', 'type', 'description'], rows)]
      .filter(Boolean)
      .join('\n\n')
  }
  const rows = schema.properties ? memberRows(schema) : []
  const cells = rows.map(({ name, type, schema: member }) => [name, type, whatText(member)])
  const form = endpoint.answer === 'events' ? 'a stream of events, each ' : ''
  return [
    `**Response:** ${status}, ${form}${typeText(schema)}`,
    table(['response', 'type', 'description'], cells),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function errorsText({ errors }) {
  const own = errors.map(({ status, code: word, words }) =>
    word ? `${status} [${word}](errors.md#${anchor(word)})` : `${status} ${words}`,
  )
  const isToken = errors.some(({ words }) => words)
  return isToken
    ? `**Errors:**\n\n${own.map((line) => `- ${line}`).join('\n')}`
    : `**Errors:** ${own.join(' · ')}`
}

function exampleText({ group, operation, endpoint, request, answer }) {
  const { input } = endpoint.example
  const argument = Object.keys(input).length === 0 ? '' : literal(input)
  const call = callText(endpoint, `await quire.${group}.${operation}(${argument})`)
  return [
    code('ts', [...fileLines(endpoint), call].join('\n')),
    code('sh', curlText(request, endpoint)),
    answerExample(answer),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The code that uses the result of a call. */
function callText({ answer }, call) {
  return answer === 'events' ? `for await (const event of ${call}) console.log(event)` : call
}

/** The lines that open the file of an example, with a file name if the operation uses it. */
function fileLines({ body, example }) {
  const { file, offset } = example.input
  if (!(file instanceof Blob)) return []
  const name = literal(file.name)
  const opened = `await openAsBlob(${name})`
  const value =
    body === 'multipart'
      ? `new File([${opened}], ${name})`
      : offset === undefined
        ? opened
        : `(${opened}).slice(${offset}) // from the offset`
  return ["const { openAsBlob } = await import('node:fs')", `const file = ${value}`]
}

// Longer responses are named shapes, whose example is with the shape.
const longestExample = 30

function answerExample({ example }) {
  const text = example === undefined ? '' : JSON.stringify(example, null, 2)
  return text === '' || text.split('\n').length > longestExample ? '' : code('json', text)
}

/** A value as a TypeScript literal. */
function literal(value, indent = '') {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
  if (value instanceof Blob) return 'file'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((member) => literal(member, indent)).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) =>
    memberText(name, literal(member, `${indent}  `)),
  )
  const line = `{ ${members.join(', ')} }`
  if (line.length + indent.length <= 80) return line
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`
}

function memberText(name, value) {
  if (value === name) return name
  return `${/^\w+$/.test(name) ? name : `'${name}'`}: ${value}`
}

function curlText({ method, path, headers, body, file, isForm }, { permission, answer }) {
  const flags = [
    methodFlag(method, body !== undefined || file !== undefined),
    answer === 'events' ? '-N' : '',
    permission === 'public' ? '' : '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers)
      .filter(([name, value]) => !(name === 'content-type' && value.includes('form')))
      .map(([name, value]) => `-H '${name}: ${value}'`),
    ...(isForm ? partFlags(body, file) : []),
    file !== undefined && !isForm ? `--data-binary @${file.name}` : '',
    body === undefined || isForm ? '' : `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].filter(Boolean)
  return ['curl', ...flags, `"$QUIRE${path}"`].join(' ')
}

/** The flag for the method, unless curl chooses it by itself. */
function methodFlag(method, hasBody) {
  if (method === 'GET' || (method === 'POST' && hasBody)) return ''
  return method === 'HEAD' ? '-I' : `-X ${method}`
}

function partFlags(body, file) {
  return [`-F 'data=${body};type=application/json'`, `-F file=@${file.name}`]
}
