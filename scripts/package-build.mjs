import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'tsup'

/**
 * The tsup configuration of one package, which builds its JavaScript: one entry for each export, each
 * bin and the worker entries, with shared chunks. tsc generates the types. Dependencies in `bundled`
 * are included in the package. `maps` adds source maps with the sources, for code that bundlers
 * minify, which load no zod. Other files are read as they are built, and their maps would be two thirds
 * of them.
 */
export function packageBuild(folder, target, { bundled = [], maps = false } = {}) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const exported = Object.values(manifest.exports).map((entry) => entry['quire-source'])
  const commands = Object.values(manifest.bin ?? {}).map((file) =>
    file.replace('./dist/', './src/').replace(/js$/, 'ts'),
  )
  const sources = [...exported, ...commands, './src/worker/entry.ts', './src/worker/check.ts'].filter(
    (file) => existsSync(join(folder, file)),
  )
  return defineConfig({
    entry: Object.fromEntries(sources.map((file) => [file.slice('./src/'.length, -'.ts'.length), file])),
    format: 'esm',
    target,
    platform: target === 'node22' ? 'node' : 'neutral',
    dts: false,
    noExternal: bundled,
    // Some Node modules can only be imported with the prefix (node:sqlite).
    removeNodeProtocol: false,
    sourcemap: maps,
    splitting: true,
    clean: true,
    silent: true,
    ...(maps && { onSuccess: async () => dropServerMaps(join(folder, 'dist')) }),
  })
}

/** Drops the source maps of files that import zod. */
function dropServerMaps(dist) {
  for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const file = join(dist, name)
    const code = readFileSync(file, 'utf8')
    if (!/from ["']zod["']/.test(code)) continue
    rmSync(`${file}.map`, { force: true })
    writeFileSync(file, code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'))
  }
}
