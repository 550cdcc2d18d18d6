import { describe, expect, it } from 'vitest'
import { type SourceFile, codeOf, otherSources, packageSources } from './source-tree.ts'

const MOST_LINES = 300

const all = [...packageSources, ...otherSources]
const shipped = packageSources.filter((file) => !file.isTest)

describe('the sources', () => {
  it(`have no file above ${MOST_LINES} lines`, () => {
    const long = shipped.filter(
      (file) => !file.isGenerated && file.text.trimEnd().split('\n').length > MOST_LINES,
    )
    expect(paths(long)).toEqual([])
  })

  it('have no default exports', () => {
    expect(paths(packageSources.filter((file) => /^export default\b/m.test(file.text)))).toEqual([])
  })

  it('do not use any', () => {
    const untyped = /(?:[:<|&,([=]|=>|\b(?:as|extends|satisfies))\s*any\b(?!\s*(?:[:(?]|=>))/
    expect(locations(all, untyped)).toEqual([])
  })

  it('do not suppress type errors', () => {
    expect(paths(all.filter((file) => /@ts-(?:ignore|nocheck)\b/.test(file.text)))).toEqual([])
  })

  it('are named after their content', () => {
    const vague = /(?:^|[-/.])(?:utils?|helpers?|common|misc|managers?)(?=[-/.]|$)/
    expect(paths(packageSources.filter((file) => vague.test(file.path)))).toEqual([])
  })
})

describe('the tests', () => {
  it('are never skipped or run alone', () => {
    const tests = all.filter((file) => file.isTest)
    expect(locations(tests, /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo)\b/)).toEqual([])
  })
})

function paths(files: readonly SourceFile[]): string[] {
  return files.map((file) => file.path)
}

function locations(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    codeOf(file)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file.path}: ${line.trim()}`),
  )
}
