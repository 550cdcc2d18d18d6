import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, posix } from 'node:path'
import { expect, it } from 'vitest'
import { longest, tiers } from './tiers.ts'

const root = dirname(import.meta.dirname)
const ignored = new Set(['node_modules', 'dist', '.tools', '.git'])
const files = globSync('**/*.test.ts', { cwd: root, exclude: (name) => ignored.has(posix.basename(name)) })

it('contain every test file exactly once', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => tiersOf(file).length !== 1)).toEqual([])
  const globs = Object.values(tiers).flatMap(({ include }) => include)
  expect([...globs, ...longest].filter((glob) => !files.some((file) => matchesGlob(file, glob)))).toEqual([])
})

it('have a quick tier that starts no other process', () => {
  const needs =
    /from '(?:node:child_process|playwright-core|[./\w-]*services\/\w+\.ts|[./\w-]*server-process\.ts)'/
  const starting = files
    .filter((file) => ['units', 'quick'].includes(tiersOf(file).join()))
    .flatMap((file) =>
      [...reached(file)].filter((path) => needs.test(readFileSync(join(root, path), 'utf8'))),
    )
  expect(starting).toEqual([])
})

function tiersOf(file: string): string[] {
  const isIn = (globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob))
  return Object.entries(tiers)
    .filter(([, { include, exclude }]) => isIn(include) && !isIn(exclude))
    .map(([name]) => name)
}

/** The file and the test helpers that it imports, but not the sources under test. */
function reached(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file) || !existsSync(join(root, file))) return seen
  seen.add(file)
  for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    const path = posix.join(posix.dirname(file), specifier)
    const isShipped = /^packages\/[^/]+\/src\//.test(path) && !path.endsWith('.test.ts')
    if (!isShipped) reached(path, seen)
  }
  return seen
}
