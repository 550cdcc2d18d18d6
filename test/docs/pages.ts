import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the repository. */
export const root = dirname(dirname(import.meta.dirname))

/** A page of Markdown. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** The pages that readers see: the README, all docs, and the README of each example. */
export function readPages(): Page[] {
  const paths = ['README.md', ...globSync(['docs/**/*.md', 'examples/*/README.md'], { cwd: root }).toSorted()]
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The pages that the demo imports: everything below docs. */
export function isDoc({ path }: Page): boolean {
  return path.startsWith('docs/')
}

/** The pages that are made from the contract. */
export function isReference({ path }: Page): boolean {
  return path.startsWith('docs/reference/')
}

/** The addresses of a page's links, without those inside code. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address]) => address ?? '')
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}
