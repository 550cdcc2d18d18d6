import { isReference, type Page } from './pages.ts'

/**
 * TypeScript that was extracted from a page. Every line keeps its position in the page, so that
 * errors have the right line number.
 */
export interface Program {
  /** The page's path, followed by the line of the snippet if the page has several programs. */
  readonly name: string
  readonly page: string
  readonly code: string
  readonly isRun: boolean
  /** The expected output of console.log, from the comments `// → …` after the calls. */
  readonly printed: readonly string[]
}

/** A fenced block of TypeScript. Line numbers start at 0. */
interface Snippet {
  readonly state: string
  /** The line of the opening fence. */
  readonly start: number
  /** The line of the closing fence. */
  readonly end: number
}

/**
 * The lines of snippets that are marked neither `run` nor `no-run`, nor `generated`: those use a
 * generated client, and test/clients runs them. Snippets in the reference need no mark.
 */
export function unmarkedSnippets(page: Page): number[] {
  if (isReference(page)) return []
  const known = new Set(['run', 'no-run', 'generated'])
  return snippetsOf(page.text.split('\n'))
    .filter(({ state }) => !known.has(state))
    .map(({ start }) => start + 1)
}

/**
 * The programs of a page. All snippets marked `run` form one program, in order. Each snippet marked
 * `no-run` is its own program. Snippets of a reference page are calls on `quire`.
 */
export function programsOf(page: Page): Program[] {
  const lines = page.text.split('\n')
  const snippets = snippetsOf(lines)
  if (isReference(page)) return snippets.length === 0 ? [] : [referenceProgram(page, lines, snippets)]
  const run = snippets.filter(({ state }) => state === 'run')
  const checked = snippets.filter(({ state }) => state === 'no-run')
  return [
    ...(run.length === 0 ? [] : [program(page, { lines, snippets: run, isRun: true })]),
    ...checked.map((snippet) => program(page, { lines, snippets: [snippet], isRun: false })),
  ]
}

function snippetsOf(lines: readonly string[]): Snippet[] {
  const snippets: Snippet[] = []
  for (let start = 0; start < lines.length; start++) {
    const fence = /^```(\w+)? ?(.*)$/.exec(lines[start] ?? '')
    if (!fence) continue
    const end = lines.indexOf('```', start + 1)
    if (fence[1] === 'ts') snippets.push({ state: fence[2] ?? '', start, end })
    start = end
  }
  return snippets
}

interface Parts {
  readonly lines: readonly string[]
  readonly snippets: readonly Snippet[]
  readonly isRun: boolean
}

function program({ path }: Page, { lines, snippets, isRun }: Parts): Program {
  const isInside = (index: number) => snippets.some(({ start, end }) => index > start && index < end)
  const code = lines.map((line, index) => (isInside(index) ? line : ''))
  return {
    name: isRun ? path : `${path}:${(snippets[0]?.start ?? 0) + 1}`,
    page: path,
    code: `${code.join('\n')}\nexport {}\n`,
    isRun,
    printed: code.flatMap((line) => /\/\/ → (.*)$/.exec(line)?.[1] ?? []),
  }
}

const referenceHead = "import type { Api } from '@quire/contract'; declare const quire: Api;"

function referenceProgram({ path }: Page, lines: readonly string[], snippets: readonly Snippet[]): Program {
  const opens = new Set(snippets.map(({ start }) => start))
  const closes = new Set(snippets.map(({ end }) => end))
  const isInside = (index: number) => snippets.some(({ start, end }) => index > start && index < end)
  const code = lines.map((line, index) => {
    if (index === 0) return referenceHead
    if (opens.has(index)) return '{'
    if (closes.has(index)) return '}'
    return isInside(index) ? line : ''
  })
  return { name: path, page: path, code: code.join('\n'), isRun: false, printed: [] }
}
