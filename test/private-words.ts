import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Visitor, parseSync } from 'oxc-parser'
import { otherSources, packageSources, type SourceFile } from './source-tree.ts'

interface Name {
  readonly text: string
  readonly isType: boolean
}

/**
 * The table in docs/glossary.md: words that no name may contain, and words that no type name may
 * contain.
 */
export const gone = new Map(
  [
    ...readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8')
      .replace(/^[\s\S]*?## Words that are gone/, '')
      .matchAll(/^\| (?!not )(\w+) +\| [^|]+\| ([^|]*)\|$/gm),
  ].map(([, word = '', note = '']) => [word, note.includes('names of types') ? 'types' : 'all'] as const),
)

/** Names in which these words are plain English, or belong to the wire format or a library. */
const allowed: readonly (readonly [path: RegExp, name: RegExp])[] = [
  // Lines of a text, a log or a report.
  [/^(?:bench|scripts|examples|test)\//, /lines?/i],
  [/^packages\/server\//, /lines?/i],
  [/^packages\/core\/src\/(?:content\/merge|delivery\/(?:sites|page-diff)|connections\/ai)\//, /lines?/i],
  [/^packages\/contract\/src\/(?:typescript|delivery\/graphql)\//, /lines?/i],
  [/^packages\/(?:client|extract-node|blobs-s3)\//, /lines?/i],
  [/^packages\/(?:core\/src|testkit\/src\/api)\/branches\/transfer/, /lines?/i],
  // A byte order mark.
  [/^packages\/extract-node\//, /mark/i],
  // `integrations.pass` and `showPageDiff` are names in the wire format.
  [/./, /^(?:pass|showPageDiff)$/],
  // `once` as in "at once" or "one time"; "not found"; a circle that is drawn.
  [/./, /once|not-?found|^drawCircle$/i],
  // Hidden content in tests of secrecy.
  [/^test\/|\.test\.ts$/, /hidden/i],
]

/** The declared names that contain a word that is gone, each as `<path>: <name>`. */
export function privateWords(): string[] {
  const wrong = [...packageSources, ...otherSources]
    .filter(({ isGenerated }) => !isGenerated)
    .flatMap((file) =>
      namesIn(file).flatMap((name) => (isGone(name, file) ? [`${file.path}: ${name.text}`] : [])),
    )
  return [...new Set(wrong)]
}

function isGone({ text, isType }: Name, { path }: SourceFile): boolean {
  const held = wordsOf(text).map((word) => gone.get(word))
  if (!held.some((where) => where === 'all' || (where === 'types' && isType))) return false
  return !allowed.some(([where, name]) => where.test(path) && name.test(text))
}

/** The words of a name in camel, kebab or snake case. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/**
 * The names that a file declares: its own, and those of types, functions, members and parameters.
 * Names of local variables are not checked.
 */
function namesIn({ path, text }: SourceFile): Name[] {
  const names: Name[] = [{ text: basename(path).replace(/\..*$/, ''), isType: false }]
  const add = (node: unknown, isType = false) => {
    const { type, name } = node as { type: string; name: string }
    if (type === 'Identifier') names.push({ text: name, isType })
  }
  const addFunction = ({ id, params }: { id?: unknown; params: readonly unknown[] }) => {
    if (id) add(id)
    for (const param of params) add(param)
  }
  const addKey = ({ key }: { key: unknown }) => add(key)
  new Visitor({
    TSInterfaceDeclaration: ({ id }) => add(id, true),
    TSTypeAliasDeclaration: ({ id }) => add(id, true),
    ClassDeclaration: ({ id }) => id && add(id, true),
    FunctionDeclaration: addFunction,
    ArrowFunctionExpression: addFunction,
    MethodDefinition: addKey,
    PropertyDefinition: addKey,
    TSMethodSignature: addKey,
    TSPropertySignature: addKey,
  }).visit(parseSync(path, text).program)
  return names
}
