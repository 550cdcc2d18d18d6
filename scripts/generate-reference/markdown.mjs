/** A page with its front matter. */
export function page({ title, summary, order }, ...parts) {
  const head = ['---', `title: ${title}`, `summary: ${summary}`, `order: ${order}`, '---']
  const note = '<!-- Generated from the contract by scripts/generate-reference.mjs: do not edit. -->'
  return `${[head.join('\n'), note, `# ${title}`, ...parts.flat().filter(Boolean)].join('\n\n')}\n`
}

/** A table; a cell that is undefined is empty. */
export function table(heads, rows) {
  if (rows.length === 0) return ''
  const line = (cells) => `| ${cells.map((cell) => cellText(cell ?? '')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(text) {
  return String(text)
    .replaceAll('\n', ' ')
    .replaceAll('|', String.raw`\|`)
}

export function code(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

export function tick(text) {
  return `\`${text}\``
}

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
