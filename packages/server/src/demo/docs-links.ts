import { posix } from 'node:path'

/**
 * The address of the page that shows a file of the documentation, relative to its site:
 * `guide/cli/` for `guide/cli.md`, and `reference/` for `reference/index.md`.
 */
export function docsAddress(path: string): string {
  const address = path.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')
  return address === '' || address.endsWith('/') ? address : `${address}/`
}

const fence = /^\s*```/
const link = /(?<mark>!?)\[(?<label>(?:[^[\]]|\[[^[\]]*\])*)\]\((?<target>[^()\s]+)\)/g

/** A link or picture in Markdown. */
interface Link {
  /** `!` for a picture, otherwise empty. */
  readonly mark: string
  readonly label: string
  readonly target: string
}

/**
 * Markdown whose links between files lead to the pages of the site instead. Pictures and links to
 * files that have no page become their texts. Code stays as it is.
 */
export function withSiteLinks(markdown: string, path: string, paths: ReadonlySet<string>): string {
  const replaced = ({ mark, label, target }: Link): string => {
    if (mark !== '') return label
    if (/^(?:[a-z]+:|#)/.test(target)) return `[${label}](${target})`
    const [file = '', anchor] = target.split('#')
    const resolved = posix.normalize(posix.join(posix.dirname(path), file))
    if (!paths.has(resolved)) return label
    const address = posix.relative(`/${docsAddress(path)}`, `/${docsAddress(resolved)}`)
    return `[${label}](${address === '' ? './' : `${address}/`}${anchor === undefined ? '' : `#${anchor}`})`
  }
  return partsOf(markdown)
    .map(({ text, isCode }) =>
      // The named groups are the last argument of the function.
      isCode ? text : text.replaceAll(link, (...found: unknown[]) => replaced(found.at(-1) as Link)),
    )
    .join('\n')
}

/** The text in parts: fenced code, and what is between it. A link may go over several lines. */
function partsOf(markdown: string): { readonly text: string; readonly isCode: boolean }[] {
  const parts: { lines: string[]; isCode: boolean }[] = [{ lines: [], isCode: false }]
  for (const line of markdown.split('\n')) {
    const current = parts.at(-1)
    const isFence = fence.test(line)
    if (isFence && current?.isCode === false) parts.push({ lines: [line], isCode: true })
    else current?.lines.push(line)
    if (isFence && current?.isCode === true) parts.push({ lines: [], isCode: false })
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, isCode }) => ({ text: lines.join('\n'), isCode }))
}
