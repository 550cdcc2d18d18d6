import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageNames } from '../source-tree.ts'
import { root } from './pages.ts'
import type { Program } from './snippets.ts'

/**
 * A folder outside of the repository, where programs see the packages as if they were installed.
 */
export interface Workshop {
  /** The type errors of all programs, as `page:line: message`. */
  typeErrors(): Promise<string[]>
  /** The output or failure of each program that is run, by name. */
  run(): Promise<ReadonlyMap<string, Outcome>>
  close(): void
}

/** The result of a program. */
export interface Outcome {
  readonly printed: readonly string[]
  readonly error: string | null
}

/** Writes programs to the folder, to be checked and run. */
export function openWorkshop(programs: readonly Program[]): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'quire-docs-'))
  installPackages(folder)
  const files = new Map(programs.map((program, index) => [`program-${index}.ts`, program]))
  for (const [file, { code }] of files) writeFileSync(join(folder, file), code)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  return {
    typeErrors: async () => {
      const { output } = await execute(
        join(root, 'node_modules/.bin/tsc'),
        ['-p', '.', '--pretty', 'false'],
        folder,
      )
      return output
        .split('\n')
        .filter(Boolean)
        .map((line) => inPage(files, line))
    },
    run: () => runAll(folder, files),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const tsconfig = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noUnusedLocals: false,
    noUnusedParameters: false,
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
}

/** Links every package of ours, and the other packages that the pages use. */
function installPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@quire'), { recursive: true })
  const link = (target: string, name: string) => symlinkSync(join(root, target), join(modules, name))
  for (const name of packageNames) link(`packages/${name}`, `@quire/${name}`)
  link('node_modules/vitest', 'vitest')
  link('node_modules/msw', 'msw')
  link('packages/server/node_modules/fastify', 'fastify')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

function inPage(files: ReadonlyMap<string, Program>, line: string): string {
  const [, file = '', at = '', message = ''] = /^(program-\d+\.ts)\((\d+),\d+\): error (.*)$/.exec(line) ?? []
  const page = files.get(file)?.page
  return page === undefined ? line : `${page}:${at}: ${message}`
}

async function runAll(folder: string, files: ReadonlyMap<string, Program>): Promise<Map<string, Outcome>> {
  const runnable = [...files].filter(([, { isRun }]) => isRun)
  const runner = join(root, 'test/docs/run-programs.mjs')
  const names = runnable.map(([file]) => file)
  const { output } = await execute(process.execPath, ['--conditions=quire-source', runner, ...names], folder)
  return new Map(runnable.map(([file, { name }]) => [name, outcomeOf(join(folder, `${file}.json`), output)]))
}

function outcomeOf(file: string, output: string): Outcome {
  if (!readdirSync(join(file, '..')).some((name) => file.endsWith(name)))
    return { printed: [], error: `it did not finish: ${output}` }
  const outcome: Outcome = JSON.parse(readFileSync(file, 'utf8'))
  return outcome
}

function execute(command: string, args: readonly string[], cwd: string): Promise<{ output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => resolve({ output: Buffer.concat(chunks).toString() }))
  })
}
