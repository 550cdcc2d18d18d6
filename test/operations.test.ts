import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { sourcesOf, type SourceFile } from './source-tree.ts'

const files = sourcesOf('core').filter(({ isTest }) => !isTest)
const maps = files.filter(({ path }) => path.endsWith('/operations.ts'))
// The map of all groups, and the code that looks operations up by name.
const top = ['packages/core/src/operations.ts', 'packages/core/src/run.ts']

/** A name that a module imports or re-exports from another one. */
interface ImportedName {
  readonly from: string
  readonly name: string
}

describe('an operation', () => {
  it('is imported only by the maps of operations; other code uses `call.invoke`', () => {
    const operations = new Set(maps.flatMap(handedOn).map(({ from, name }) => `${from} ${name}`))
    expect(operations.size).toBeGreaterThan(40)
    const mapPaths = maps.map(({ path }) => path)
    // A map may also contain operations. These must not import others either; a map may only
    // re-export them.
    const importing = files
      .filter(({ path }) => !top.includes(path))
      .flatMap((file) =>
        imported(file)
          .filter(({ from, name }) => operations.has(`${from} ${name}`) || mapPaths.includes(from))
          .map(({ name }) => `${file.path} imports ${name}`),
      )
    expect(importing).toEqual([])
  })
})

/** The names that a map exports from other files of its group. */
function handedOn(map: SourceFile): ImportedName[] {
  return parseSync(map.path, map.text).program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' && node.source
      ? node.specifiers.map(({ local }) => ({
          from: posix.join(posix.dirname(map.path), node.source?.value ?? ''),
          name: 'name' in local ? local.name : local.value,
        }))
      : [],
  )
}

function imported(file: SourceFile): ImportedName[] {
  return parseSync(file.path, file.text).program.body.flatMap((node) => {
    if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('.')) return []
    const from = posix.join(posix.dirname(file.path), node.source.value)
    return node.specifiers.map((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return { from, name: '*' }
      return { from, name: 'name' in specifier.imported ? specifier.imported.name : specifier.imported.value }
    })
  })
}
