// The `quire` command as few files. Node finds, reads and links each module by itself, and the command
// with its libraries has five hundred: see docs/decisions/0059-what-a-start-costs.md.
import { readFile, writeFile } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'tsup'

const core = resolve(import.meta.dirname, '../core/src')

/**
 * Packages that stay outside: adapters, of which some have compiled code, threads or processes of
 * their own, and others are installed only by those who need them; and libraries that
 * instrumentations replace when they are loaded, or that few commands need.
 */
const outside = [
  '@quire/(?:blobs|extract|media|outbound|store)-.+',
  'cli-progress',
  'fastify',
  'openid-client',
  'pg',
  'pino',
  'prom-client',
  'yaml',
]

/** Builds the command into dist, next to the files and the threads that it uses. */
export async function buildCommand() {
  await build({
    config: false,
    entry: { cli: 'src/cli.ts' },
    format: 'esm',
    target: 'node22',
    platform: 'node',
    noExternal: [new RegExp(`^(?!(?:${outside.join('|')})(?:/|$))`)],
    splitting: true,
    removeNodeProtocol: false,
    silent: true,
    esbuildPlugins: [onePortsModule, oneLanguage, licenses],
    // Some of the libraries are CommonJS, and require modules of Node.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    esbuildOptions(options) {
      options.conditions = ['quire-source', 'module']
      // V8 holds a text with other characters in two bytes for each.
      options.charset = 'ascii'
      options.legalComments = 'none'
      options.minifySyntax = true
      options.minifyWhitespace = true
    },
  })
}

/**
 * `@quire/core/ports` stays outside, also where core imports its parts: adapters throw the errors it
 * declares, and there may be only one class of each.
 */
const onePortsModule = {
  name: 'one-ports-module',
  setup(bundle) {
    const outside = { path: '@quire/core/ports', external: true }
    const parts = filesOfPorts()
    bundle.onResolve({ filter: /^@quire\/core\/ports$/ }, () => outside)
    bundle.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) =>
      parts.has(join(resolveDir, path)) ? outside : undefined,
    )
  },
}

/** The files all of whose exports `@quire/core/ports` exports. */
function filesOfPorts() {
  const files = ['ports.ts', 'ports/index.ts'].map((file) => join(core, file))
  const exported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export \* from '(.+)'$/gm)].map(([, path]) =>
      join(dirname(file), path),
    ),
  )
  return new Set([...files, ...exported])
}

/** zod's messages in English alone. The other sixty languages are a third of it, and nothing uses them. */
const oneLanguage = {
  name: 'one-language',
  setup(bundle) {
    bundle.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

/** Writes the terms of the libraries in the bundle next to it. */
const licenses = {
  name: 'licenses',
  setup(bundle) {
    bundle.initialOptions.metafile = true
    bundle.onEnd(async ({ metafile }) => {
      const folders = Object.keys(metafile.inputs).map(
        (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(resolve(file))?.[0],
      )
      const texts = [...new Set(folders)].filter(Boolean).map(licenseOf)
      await writeFile(
        'dist/LICENSES.txt',
        `${(await Promise.all(texts)).toSorted((a, b) => a.localeCompare(b)).join('\n\n')}\n`,
      )
    })
  },
}

async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}
