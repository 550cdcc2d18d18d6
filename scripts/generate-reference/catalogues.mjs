import { anchor, code, page, table, tick } from './markdown.mjs'
import { memberRows, referred, whatText } from './types.mjs'

// Bodies have their tables at their operation, a JSON value needs none, and field kinds have a page.
const isShown = (name) => !name.endsWith('Body') && !['JsonValue', 'FieldInput', 'Field'].includes(name)

/** The named shapes that answers are made of. */
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
        table(['member', 'type', 'what'], rows),
        example && code('json', JSON.stringify(example, null, 2)),
      ]
        .filter(Boolean)
        .join('\n\n')
    })
  const summary = 'What answers are made of, member by member.'
  return page({ title: 'Shapes', summary, order: 46 }, parts)
}

/** The first example of each shape that an operation answers. */
function examplesByShape(operations) {
  const answered = operations
    .filter(({ answer }) => answer.example !== undefined && referred(answer.schema))
    .map(({ answer }) => [referred(answer.schema), answer.example])
  return new Map(answered.toReversed())
}

// Beyond this a list of callers tells nobody anything.
const mostCallers = 20

/** Every error code, its status and who answers it. */
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
      'The body is `{ error: true, message, code, requestId }`, with `issues`, `conflicts` or `details` where they help; in',
      'process and in the client the same is a `QuireError` with these members. `code` is stable, messages may change. Any call',
      'can also answer `invalid`, `unauthorized`, `forbidden`, `internal`, `unavailable` and, when it writes, `no_room`. The',
      'token endpoint answers `{ "error": "…" }`: see [auth.token](auth.md#authtoken).',
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
    { title: 'Permissions', summary: 'Every permission key, and the bundles that hold it.', order: 48 },
    table(['key', 'lets one', 'can be granted', 'asked for by'], rows),
    '## Bundles',
    table(['key', ...bundles.map(([name]) => tick(name))], matrix),
    '## Legacy entries',
    'What `view`, `write` and `admin` in the `repos` of a role stand for, on that repository.',
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
    return `## ${kind.const}\n\n${rows.length > 0 ? table(['setting', 'type', 'what'], rows) : none}`
  })
  return page(
    { title: 'Field kinds', summary: 'The kinds of field and the settings of each.', order: 49 },
    'What values look like, and how they are checked, is in [Content types](../guide/content-types.md#kinds).',
    '## Every field',
    table(
      ['member', 'type', 'what'],
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
