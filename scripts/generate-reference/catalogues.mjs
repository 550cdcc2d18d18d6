import { anchor, code, page, table, tick } from './markdown.mjs'
import { memberRows, referred, whatText } from './types.mjs'

// Bodies have their tables with their operation, a JSON value needs none, and field kinds have
// their own page.
const isShown = (name) => !name.endsWith('Body') && !['JsonValue', 'FieldInput', 'Field'].includes(name)

/** The named shapes of requests and responses. */
export function shapesPage({ components }, operations) {
  const examples = examplesByShape(operations)
  const parts = Object.entries(components.schemas)
    .filter(([name]) => isShown(name))
    .map(([name, schema]) => {
      const rows = memberRows(schema, { link: '' }).map(({ name: member, type, schema: inner }) => [
        member,
        type,
        whatText(inner),
      ])
      const { description } = schema
      const example = examples.get(name)
      return [
        `## ${name}`,
        description && `${description}.`,
        table(['member', 'type', 'description'], rows),
        example && code('json', JSON.stringify(example, null, 2)),
      ]
        .filter(Boolean)
        .join('\n\n')
    })
  const summary = 'The named shapes of requests and responses, member by member.'
  return page({ title: 'Shapes', summary, order: 46 }, parts)
}

/** The first example of each shape that an operation returns. */
function examplesByShape(operations) {
  const answered = operations
    .filter(({ answer }) => answer.example !== undefined && referred(answer.schema))
    .map(({ answer }) => [referred(answer.schema), answer.example])
  return new Map(answered.toReversed())
}

// A longer list of callers would not help the reader.
const mostCallers = 20

/** Every error code, its status and the operations that declare it. */
export function errorsPage({ errorTable }, operations) {
  const callers = (code) => {
    const declaring = operations.filter(({ endpoint }) => endpoint.errors.includes(code))
    return declaring.length > mostCallers ? 'most operations' : declaring.map(linkTo).join(', ')
  }
  const parts = Object.entries(errorTable).map(([code, { status, message }]) =>
    [`## ${code}`, `**${status}.** ${message}`, callers(code) && `Declared by ${callers(code)}.`]
      .filter(Boolean)
      .join('\n\n'),
  )
  const rows = Object.entries(errorTable).map(([code, { status }]) => [
    `[${code}](#${anchor(code)})`,
    String(status),
  ])
  return page(
    { title: 'Errors', summary: 'Every error code with its HTTP status.', order: 47 },
    [
      'The body of an error is `{ error: true, message, code, requestId }`, with `issues`, `conflicts` or `details` where they help.',
      'In process and in the client, an error is a `QuireError` with the same members. `code` is stable; messages may change. Any',
      'call can also fail with `invalid`, `unauthorized`, `forbidden`, `internal` or `unavailable`, and any write with `no_room`.',
      'The token endpoint returns `{ "error": "…" }` instead: see [auth.token](auth.md#authtoken).',
    ].join('\n'),
    table(['code', 'status'], rows),
    parts,
  )
}

function linkTo({ group, operation }) {
  const file = group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return `[${group}.${operation}](${file}.md#${anchor(`${group}.${operation}`)})`
}

/** Every permission key, the bundles and the legacy entries. */
export function permissionsPage({ permissionCatalogue, builtInBundles, legacyPermissions }, operations) {
  const keys = Object.entries(permissionCatalogue)
  const rows = keys.map(([key, { description, scopes }]) => [
    tick(key),
    description,
    ['everywhere', ...scopes].join(', '),
    operations
      .filter((described) => described.keys.includes(key))
      .map(linkTo)
      .join(', '),
  ])
  const bundles = Object.entries(builtInBundles)
  const matrix = keys.map(([key]) => [
    tick(key),
    ...bundles.map(([, held]) => (held.includes(key) ? '✓' : '')),
  ])
  const legacy = Object.entries(legacyPermissions).map(([name, held]) => [
    tick(name),
    held.map(tick).join(', '),
  ])
  return page(
    { title: 'Permissions', summary: 'Every permission key, and the bundles that contain it.', order: 48 },
    table(['key', 'allows to', 'can be granted', 'required by'], rows),
    '## Bundles',
    table(['key', ...bundles.map(([name]) => tick(name))], matrix),
    '## Legacy entries',
    'The keys that `view`, `write` and `admin` in the `repos` of a role grant on that repository.',
    table(['entry', 'keys'], legacy),
  )
}

/** The members that all fields share, and the settings of each kind. */
export function fieldKindsPage({ components }) {
  const kinds = components.schemas['FieldInput'].oneOf
  const shared = memberRows(kinds[0]).filter(({ name }) => name !== 'kind' && !name.startsWith('settings'))
  const parts = kinds.map((schema) => {
    const { kind, settings } = schema.properties
    const rows = memberRows(settings ?? {}).map(({ name, type, schema: inner }) => [
      name,
      type,
      whatText(inner),
    ])
    const none = 'No settings.'
    return `## ${kind.const}\n\n${rows.length > 0 ? table(['setting', 'type', 'description'], rows) : none}`
  })
  return page(
    { title: 'Field kinds', summary: 'The field kinds and their settings.', order: 49 },
    'See [Content types](../guide/content-types.md#kinds) for what values look like and how they are checked.',
    '## Every field',
    table(
      ['member', 'type', 'description'],
      [
        ['**kind**', 'string', 'One of the kinds below.'],
        ...shared.map(({ name, type, isRequired, schema }) => [
          isRequired ? `**${name}**` : name,
          type,
          whatText(schema),
        ]),
        ['settings', 'object', 'See the kind.'],
      ],
    ),
    parts,
  )
}
