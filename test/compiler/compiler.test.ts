import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { largeSchema, program } from './large-schema.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'quire-compiler-'))
afterAll(() => rmSync(folder, { recursive: true }))

mkdirSync(join(folder, 'node_modules/@quire'), { recursive: true })
for (const name of ['contract', 'client'])
  symlinkSync(join(root, 'packages', name), join(folder, 'node_modules/@quire', name))
writeFileSync(join(folder, 'schema.ts'), largeSchema({ types: 100, fields: 30, depth: 5, variants: 75 }))
writeFileSync(join(folder, 'with.ts'), program(true))
writeFileSync(join(folder, 'without.ts'), program(false))

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  customConditions: ['quire-source'],
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'esnext', 'dom'],
  types: [],
}

/** How many seconds the compiler in a folder takes for a file. Errors: those that it reports. */
async function secondsFor(compiler: string, file: string): Promise<number> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = join(root, compiler, 'bin/tsc')
  const ran = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'])
  const { stdout } = await ran.catch(({ stdout: said }: { stdout: string }) => {
    throw new Error(said)
  })
  return Number(/^Total time: +([\d.]+)/m.exec(stdout)?.[1])
}

/** The most seconds that a schema may add, and how often it is tried: the machine has other work. */
const [most, tries] = [2, 3]

/** Seconds for the client alone on a machine where that holds. Slower ones may take longer. */
const usual = 1.25

it.each(['node_modules/typescript', 'test/node_modules/typescript-6', 'test/node_modules/typescript-5'])(
  'a schema of 100 types adds at most 2 s to %s',
  { timeout: 120_000 },
  async (compiler) => {
    let [without, added, bound] = [0, Infinity, 0]
    // Both are measured again in each try, because the machine is not as fast all the time.
    for (let run = 0; run < tries && added >= bound; run += 1) {
      without = await secondsFor(compiler, 'without.ts')
      added = (await secondsFor(compiler, 'with.ts')) - without
      bound = most * Math.max(1, without / usual)
    }
    process.stdout.write(`${compiler}: ${without} s, with a schema ${added.toFixed(2)} s more\n`)
    expect(added).toBeGreaterThan(0)
    expect(added).toBeLessThan(bound)
  },
)
