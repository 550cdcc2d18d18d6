import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../../docs/guide/generated-clients.md')

/** What the guide says about one generator. */
export interface GuideSection {
  /** The name of the generator, which is the heading. */
  readonly name: string
  /** The packages that it installs. */
  readonly packages: readonly string[]
  /** The command that generates the client, without `npx`. */
  readonly command: string
  /** The files that the command reads, by name. */
  readonly files: ReadonlyMap<string, string>
  readonly program: string
  /** The expected output of console.log, from the comments `// → …`. */
  readonly printed: readonly string[]
}

interface Fence {
  readonly language: string
  readonly label: string
  readonly text: string
}

/** The sections of the guide that have a program. */
export function readSections(): GuideSection[] {
  const [, ...sections] = readFileSync(page, 'utf8').split(/^## /m)
  return sections.map(toSection)
}

function toSection(text: string): GuideSection {
  const fences = [...text.matchAll(/^```(\w+) ?(.*)\n([^]*?)^```$/gm)].map(
    ([, language = '', label = '', content = '']): Fence => ({ language, label, text: content }),
  )
  const lines = fences.filter(({ language }) => language === 'sh').flatMap((fence) => fence.text.split('\n'))
  const program = fences.find(({ label }) => label === 'generated')?.text ?? ''
  return {
    name: text.slice(0, text.indexOf('\n')),
    packages: lines.flatMap((line) => /^npm install (?:--save-dev )?(.+)$/.exec(line)?.[1]?.split(' ') ?? []),
    command: lines.flatMap((line) => /^npx (.+)$/.exec(line)?.[1] ?? []).join('\n'),
    files: new Map(
      fences.filter(({ language }) => language === 'js').map(({ label, text: file }) => [label, file]),
    ),
    program,
    printed: [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, output = '']) => output),
  }
}
