import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const module = JSON.stringify(join(import.meta.dirname, '../../scripts/run/alone.mjs'))

/** A program that works alone in a folder, and notes begin and end in a file in it. */
function programOf(folder: string, ending: string): readonly string[] {
  const code = `
    import { appendFileSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { alone } from ${module}
    const note = (word) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, word + '\\n')
    await alone(async () => { note('begin'); await sleep(100); note('end'); ${ending} }, ${JSON.stringify(folder)})`
  return ['--input-type=module', '--eval', code]
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'alone-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const notesOf = (folder: string) => readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n')

it('processes that start at once install and build one after the other', async () => {
  const folder = aFolder()
  const run = promisify(execFile)
  const processes = Array.from({ length: 4 }, () => run(process.execPath, programOf(folder, '')))
  await Promise.all(processes)
  expect(notesOf(folder)).toEqual(Array.from({ length: 4 }, () => ['begin', 'end']).flat())
})

it.each(['process.exit(1)', "process.kill(process.pid, 'SIGKILL')"])(
  'a process that ends by %s keeps nobody waiting',
  async (ending) => {
    const folder = aFolder()
    for (const how of [ending, '']) {
      const child = spawn(process.execPath, programOf(folder, how), { stdio: 'ignore' })
      await once(child, 'exit')
    }
    expect(notesOf(folder)).toEqual(['begin', 'end', 'begin', 'end'])
  },
)
