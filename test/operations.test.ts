import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { sourcesOf, type SourceFile } from './source-tree.ts'

const files = sourcesOf('core').filter(({ isTest }) => !isTest)
const maps = files.filter(({ path }) => path.endsWith('/operations.ts'))
// The map of all groups: it and what looks operations up by their names.
const top = ['packages/core/src/operations.ts', 'packages/core/src/run.ts']

/** A name that one module imports or re-exports from another. */
interface ImportedName {
  readonly from: string
  readonly name: string
}

describe('an operation', () => {
  it('is imported by the maps of operations alone: others call it by `call.invoke`', () => {
    const operations = new Set(maps.flatMap(handedOn).map(({ from, name }) => `${from} ${name}`))
    expect(operations.size).toBeGreaterThan(40)
    const mapPaths = maps.map(({ path }) => path)
    // A map may hold operations itself: it must not import those of others either, only hand them on.
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

/** What a map exports from other files of its group. */
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
