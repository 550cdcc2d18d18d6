import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { GuideSection } from './sections.ts'

const root = join(import.meta.dirname, '../..')
const modules = join(import.meta.dirname, 'node_modules')

/** A service, and a token of an account that may write. */
export interface Access {
  readonly url: string
  readonly token: string
}

/** A project outside of the repository that follows one section of the guide. */
export interface ClientProject {
  /** Runs the command of the section on the document of the service. Errors: Error with its output. */
  generate(): Promise<void>
  /** Compiles the generated code and the program. Returns the errors of the compiler. */
  compile(): Promise<string>
  /** Runs the compiled program. Returns what it prints, by line. Errors: Error with its output. */
  run(): Promise<string[]>
  close(): Promise<void>
}

/** Creates the project in a new folder. */
export async function openProject(section: GuideSection, { url, token }: Access): Promise<ClientProject> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-client-'))
  const atService = (text: string) => text.replaceAll('http://127.0.0.1:3000', url)
  const env = {
    PATH: [join(modules, '.bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    QUIRE_URL: url,
    QUIRE_TOKEN: token,
  }
  const succeed = async (file: string, ...args: readonly string[]) => {
    const { status, output } = await execute({ file, args, folder, env })
    if (status !== 0) throw new Error(`${file} ${args.join(' ')}:\n${output}`)
    return output
  }
  await symlink(modules, join(folder, 'node_modules'))
  const files = {
    'package.json': manifest,
    'tsconfig.json': configOf(section),
    'program.ts': section.program,
  }
  for (const [name, text] of [...Object.entries(files), ...section.files])
    await writeFile(join(folder, name), atService(text))
  return {
    generate: async () => {
      const [file = '', ...args] = atService(section.command).split(' ')
      await succeed(file, ...args)
    },
    compile: async () => {
      const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false']
      const { output } = await execute({ file: process.execPath, args, folder, env })
      return output
    },
    run: async () => (await succeed(process.execPath, 'dist/program.js')).trimEnd().split('\n'),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const manifest = JSON.stringify({ type: 'module', private: true })

function configOf({ name }: GuideSection): string {
  return JSON.stringify({
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      // The other generators write a runtime too, which does not compile under it for any document.
      exactOptionalPropertyTypes: name === 'openapi-typescript',
      skipLibCheck: false,
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      outDir: 'dist',
      rootDir: '.',
    },
    include: ['**/*.ts'],
    exclude: ['dist', 'node_modules'],
  })
}

interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

function execute({ file, args, folder: cwd, env }: Command): Promise<{ status: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ status: error?.code ?? (error ? error.message : 0), output: stdout + stderr })
    })
  })
}
