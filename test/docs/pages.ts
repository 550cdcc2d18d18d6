import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The root folder of the repository. */
export const root = dirname(dirname(import.meta.dirname))

/** A Markdown page. */
export interface Page {
  /** Path from the root of the repository. */
  readonly path: string
  readonly text: string
}

/** The pages for readers: the README, all docs, and the README of each example and package. */
export function readPages(): Page[] {
  const paths = [
    'README.md',
    ...globSync(['docs/**/*.md', 'examples/*/README.md', 'packages/*/README.md'], { cwd: root }).toSorted(),
  ]
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Whether the demo imports the page: everything below docs. */
export function isDoc({ path }: Page): boolean {
  return path.startsWith('docs/')
}

/** Whether the page is generated from the contract. */
export function isReference({ path }: Page): boolean {
  return path.startsWith('docs/reference/')
}

/** The link targets of a page, except for those inside code. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address]) => address ?? '')
}

/** The anchors of a page's headings, in GitHub's form. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}
