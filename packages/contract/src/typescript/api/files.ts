import { endpoints, groupTags, type NamedEndpoint } from '../../contract.ts'
import * as exported from '../../index.ts'
import { tagDescriptions } from '../../openapi/tags.ts'
import { capital } from '../names.ts'
import { createDeclarations, listsText, type Declarations } from './declare.ts'
import { docText } from './doc-text.ts'
import { namesFor } from './named.ts'
import { operationText } from './operation-text.ts'

const header = '// Generated from the contract by scripts/generate-api-types.mjs: do not edit.\n'

/** Where the types are declared that are not made from schemas. */
const written: readonly (readonly [names: string, file: string])[] = [
  ['Binary BytesIn', '../bytes.ts'],
  ['Proxied', '../proxied.ts'],
  ['CallOptions Streamed', '../call.ts'],
  ['ContentOperation', '../content-operation.ts'],
  ['JsonValue', '../json-value.ts'],
  ['AnyContent', '../typed-item.ts'],
  ['EndlessListOf ListOf LongListOf', './lists.ts'],
]

/**
 * The types of the API as plain TypeScript, without zod: the text of each file by its name. Each
 * group has a file, with the shapes that no group before it uses.
 */
export function apiFiles(): ReadonlyMap<string, string> {
  const tags: Readonly<Record<string, string>> = groupTags
  const groups = [...Map.groupBy(endpoints, ({ group }) => group)].map(([name, operations]) => ({
    name,
    operations,
    about: tagDescriptions[tags[name] ?? ''] ?? '',
  }))
  const declarations = createDeclarations(namesFor(exported), (all) => {
    for (const group of groups) groupText(group, all)
  })
  const origins = new Map(
    written.flatMap(([names, file]) => names.split(' ').map((name) => [name, file] as const)),
  )
  const files = new Map<string, string>([['lists.ts', `${header}\n${listsText()}`]])
  const members: string[] = []
  for (const group of groups) {
    const file = fileName(group.name)
    const { text, declared, isTyped } = groupText(group, declarations)
    for (const name of declared) origins.set(name, `./${file}`)
    files.set(file, `${header}${importsOf(text, `./${file}`, origins)}\n${text}`)
    members.push(
      `${docText([`${group.about}.`], '  ')}  readonly ${group.name}: ${capital(group.name)}Api${isTyped ? '<C>' : ''}\n`,
    )
  }
  files.set(
    'index.ts',
    indexText(
      [...files.keys()],
      members,
      groups.map(({ name }) => name),
    ),
  )
  return files
}

interface Group {
  readonly name: string
  readonly operations: readonly NamedEndpoint[]
  readonly about: string
}

function groupText({ name, operations, about }: Group, declarations: Declarations) {
  const texts = operations.map(({ group, operation, endpoint }) =>
    operationText({ group, operation }, endpoint, declarations),
  )
  const isTyped = texts.some((text) => text.isTyped)
  const parameter = isTyped ? '<C extends object = AnyContent>' : ''
  const doc = docText([`The operations of \`${name}\`. ${about}.`], '')
  const api = `${doc}export interface ${capital(name)}Api${parameter} {\n${texts.map(({ member }) => member).join('\n')}}\n`
  const declared = [...declarations.pending(), ...texts.flatMap((text) => text.declared)]
  return {
    text: [api, ...declared.map(({ text }) => text)].join('\n'),
    declared: declared.map((declaration) => declaration.name),
    isTyped,
  }
}

function importsOf(text: string, own: string, origins: ReadonlyMap<string, string>): string {
  const code = text.replaceAll(/\/\*\*.*?\*\/|'(?:[^'\\\n]|\\.)*'/gs, '')
  const used = [...new Set(code.match(/\b[A-Z]\w*/g))].filter((name) => {
    const file = origins.get(name)
    return file !== undefined && file !== own
  })
  return [...Map.groupBy(used, (name) => origins.get(name) ?? '')]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([file, names]) => `import type { ${names.toSorted().join(', ')} } from '${file}'\n`)
    .join('')
}

function indexText(files: readonly string[], members: readonly string[], groups: readonly string[]): string {
  const api = `${docText(
    [
      'The typed API. The engine in your process, the client and the mock all implement it.',
      'With the interface `ContentTypes` that `quire types` writes, the `fields` of items are typed.',
    ],
    '',
  )}export interface Api<C extends object = AnyContent> {\n${members.join('')}}\n`
  const imports = groups
    .map((group) => `import type { ${capital(group)}Api } from './${fileName(group)}'\n`)
    .join('')
  const exports = files.map((file) => `export type * from './${file}'\n`).join('')
  return `${header}import type { AnyContent } from '../typed-item.ts'\n${imports}\n${exports}\n${api}`
}

function fileName(group: string): string {
  return `${group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
}
