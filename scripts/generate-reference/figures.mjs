const opening = '<!-- figures: made of bench/results.json by scripts/generate-reference.mjs -->'
const closing = '<!-- /figures -->'

/** The README with our own figures between its two marks; as it is when nothing was measured. */
export function withFigures(readme, results) {
  const start = readme.indexOf(opening)
  const end = readme.indexOf(closing)
  if (!results || start < 0 || end < start) return readme
  return `${readme.slice(0, start)}${opening}\n\n${figuresText(results)}\n\n${readme.slice(end)}`
}

function figuresText({ date, node, cores, lines }) {
  const rows = lines.map(({ what, value, min, max, unit }) => [
    what,
    `${figure(value)} ${unit}`,
    min === max ? '' : `${figure(min)}..${figure(max)}`,
  ])
  const intro = [
    `Quire beside the same kind of bare server, by \`npm run bench\` on ${date}: Node ${node.replace('v', '')}, ${cores} cores. A ratio is`,
    "Quire's figure over the bare server's, measured in turn in the same run.",
  ]
  return `${intro.join('\n')}\n\n${aligned(['Quire', 'median', 'min..max'], rows)}`
}

function figure(value) {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2)
}

/** A table as the formatter writes it: the README is checked by it. */
function aligned(heads, rows) {
  const widths = heads.map((head, column) =>
    Math.max(3, head.length, ...rows.map((row) => row[column].length)),
  )
  const line = (cells, fill) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`
  return [
    line(heads, ' '),
    line(
      heads.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row, ' ')),
  ].join('\n')
}
