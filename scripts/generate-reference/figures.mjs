const opening = (name) => `<!-- ${name}: made of bench/results.json by scripts/generate-reference.mjs -->`
const closing = (name) => `<!-- /${name} -->`

/** A page with the measured figures between its markers; unchanged if there are none. */
export function withFigures(page, results) {
  if (!results) return page
  return between(between(page, 'figures', figuresText(results)), 'peers', peersText(results))
}

function between(page, name, text) {
  const start = page.indexOf(opening(name))
  const end = page.indexOf(closing(name))
  if (start < 0 || end < start) return page
  return `${page.slice(0, start)}${opening(name)}\n\n${text}\n\n${page.slice(end)}`
}

function figuresText({ date, node, cores, lines }) {
  const rows = lines.map(({ what, value, min, max, unit, before, target, bound }) => [
    what,
    before === undefined ? '' : figure(before),
    `${figure(value)} ${unit}`,
    min === max ? '' : `${figure(min)}..${figure(max)}`,
    target === undefined ? '' : `${bound === 'atLeast' ? '≥' : '≤'} ${target}`,
  ])
  const intro = `Measured by \`npm run bench\` on ${date}: Node ${node.replace('v', '')}, ${cores} cores.`
  return `${intro}\n\n${aligned(['Quire', 'before', 'median', 'min..max', 'goal'], rows)}`
}

// docs/performance.md describes how the peers were measured.
const heads = ['', 'Quire', 'Directus', 'Strapi', 'Payload', 'Contentful', 'Sanity', 'Instatic']
const hosted = ['hosted', 'hosted', 'not measured']
const claims = [
  [
    'branches of all content, merged field by field',
    'yes',
    'versions of an item',
    'no',
    'no',
    'content types only',
    'releases',
    'whole site copied',
  ],
  ['the API reads through a branch', 'yes', 'one item', 'no', 'no', 'environments', 'releases', 'no'],
  ['embeds in your Node service', 'yes', 'no', 'no', 'yes', 'no', 'no', 'no'],
  ['you can host it', 'yes', 'yes', 'yes', 'yes', 'no', 'no', 'yes'],
  ['user interface for editors', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'],
]

function peersText({ lines }) {
  const valueOf = (what) => {
    const line = lines.find((each) => each.what === what)
    if (!line) throw new Error(`bench/results.json has no figure '${what}', which the README needs.`)
    return line.value
  }
  const slower = (what) => `${(1 / valueOf(what)).toFixed(1)} ×`
  return aligned(heads, [
    ...claims,
    [
      'read one by slug, slower than bare',
      slower('read by slug, relative to the bare server'),
      '56 ×',
      '45 ×',
      '34 ×',
      ...hosted,
    ],
    [
      'the same lists of 25 again, slower than bare',
      slower('list of 25, filtered, sorted, counted, relative to the bare server'),
      '31 ×',
      '33 ×',
      '26 ×',
      ...hosted,
    ],
    [
      'create one, slower than bare',
      slower('create, durable, 8 connections, relative to the bare server'),
      '14 ×',
      '11 ×',
      '7.6 ×',
      ...hosted,
    ],
    [
      'start to first answer',
      `${(valueOf('cold start to the first answer') / 1000).toFixed(1)} s`,
      '3.2 s',
      '2.2 s',
      '0.7 s',
      ...hosted,
    ],
    [
      'memory when idle',
      `${figure(valueOf('memory when idle'))} MB`,
      '368 MB',
      '218 MB',
      '127 MB',
      ...hosted,
    ],
  ])
}

function figure(value) {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2)
}

/** A table in the style of the formatter, which checks the pages. */
function aligned(headings, rows) {
  const widths = headings.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => row[column].length)),
  )
  const line = (cells, fill) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`
  return [
    line(headings, ' '),
    line(
      headings.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row, ' ')),
  ].join('\n')
}
