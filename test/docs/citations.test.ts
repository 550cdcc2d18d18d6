import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './pages.ts'

/** A document that sources cite, and the form of its citations. */
interface Cited {
  readonly name: string
  /** Matches every mention of the document. Each mention must be a citation. */
  readonly mention: RegExp
  /** Matches a citation. The first group contains its list of targets. */
  readonly citation: RegExp
  /** Matches one target in that list. */
  readonly target: RegExp
  readonly targets: ReadonlySet<string>
}

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** The first groups of all matches. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

const service = textOf('docs/spec/service.md')
const trust = textOf('docs/spec/trust.md')

const documents: readonly Cited[] = [
  {
    name: 'specification',
    mention: /(?<!GraphQL )\b[Ss]pecification(?: section)?,? \(?\d/g,
    citation: /(?<!GraphQL )\b[Ss]pecification (\d+(?:\.\d+)*(?:(?:,| and| to) \d+(?:\.\d+)*)*)/g,
    target: /(\d+(?:\.\d+)*)/g,
    targets: new Set([
      ...all(service, /^#{2,3} (\d+(?:\.\d+)*)/gm),
      ...all(service, /\*\*(\d+(?:\.\d+)+)\*\*/g),
    ]),
  },
  {
    name: 'TRUST',
    mention: /\bTRUST(?!_)\b/g,
    citation: /\bTRUST ((?:[SFI]\d+|\d\.\d)(?:(?:,| and) (?:[SFI]\d+|\d\.\d))*)/g,
    target: /([SFI]\d+|\d\.\d)/g,
    targets: new Set([
      ...all(trust, /^### (S\d+|\d\.\d)/gm),
      ...all(trust, /\*\*(I\d+)\*\*/g),
      ...all(trust, /^\| (F\d+)/gm),
    ]),
  },
  {
    name: 'DESIGN',
    mention: /\bDESIGN\b/g,
    citation: /\bDESIGN ("[^"]+")/g,
    target: /"([^"]+)"/g,
    targets: new Set(all(textOf('docs/spec/design.md'), /^## (.+)$/gm)),
  },
  {
    name: 'decision',
    mention: /\bdecisions? \d/gi,
    citation: /\bdecisions? (\d{4}(?:(?:,| and| to) \d{4})*)/gi,
    target: /(\d{4})/g,
    targets: new Set(
      globSync('docs/decisions/0*.md', { cwd: root }).map((path) => basename(path).slice(0, 4)),
    ),
  },
]

const sources = globSync(
  [
    'packages/*/{src,test,demo}/**/*.{ts,mjs,yaml}',
    '{test,scripts,bench,examples}/**/*.{ts,mjs}',
    'docs/**/*.md',
  ],
  { cwd: root, exclude: (path) => path.includes('node_modules') || path.endsWith('citations.test.ts') },
).filter((path) => !path.startsWith('docs/spec/'))

const lines = sources.flatMap((path) =>
  textOf(path)
    .split('\n')
    .map((text, index) => ({ text, at: `${path}:${index + 1}` })),
)

describe.each(documents)('citations of $name', ({ mention, citation, target, targets }) => {
  it('have the expected form', () => {
    const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
    const odd = lines.filter(({ text }) => count(text, mention) > count(text, citation))
    expect(odd.map(({ at, text }) => `${at}: ${text.trim()}`)).toEqual([])
  })

  it('refer to existing targets', () => {
    const cited = lines.flatMap(({ text, at }) =>
      all(text, citation).flatMap((list) => all(list, target).map((id) => ({ id, at }))),
    )
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ id }) => !targets.has(id)).map(({ id, at }) => `${at}: ${id}`)).toEqual([])
  })
})

it('paths of sources in the docs exist', () => {
  const named = lines
    .filter(({ at }) => at.startsWith('docs/'))
    .flatMap(({ text, at }) =>
      all(text, /(packages\/[a-z0-9-]+\/(?:src|test)\/[\w/.-]+\.ts)/g).map((path) => ({ path, at })),
    )
  expect(
    named.filter(({ path }) => !existsSync(join(root, path))).map(({ path, at }) => `${at}: ${path}`),
  ).toEqual([])
})
