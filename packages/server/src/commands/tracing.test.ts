import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aFolder, killedAt } from '../../test/cli.ts'

const root = join(import.meta.dirname, '../../../..')

/** The file that the guide describes, where Node finds the packages that it imports. */
function tracingFile(): string {
  const page = readFileSync(join(root, 'docs/guide/operations.md'), 'utf8')
  const [, code = ''] = /^```js\n(\/\/ tracing\.mjs\n[\s\S]*?)^```$/m.exec(page) ?? []
  const cache = join(root, 'test/node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'tracing-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tracing.mjs')
  writeFileSync(file, code)
  return file
}

it('the file of the guide makes the service print its spans', async () => {
  const env = { NODE_OPTIONS: `--import ${tracingFile()}` }
  const args = ['serve', '--data', aFolder(), '--port', '0']
  const { stdout } = await killedAt("name: 'process uploads.sweep'", args, env)
  expect(stdout).toContain("'quire.job.kind': 'uploads.sweep'")
})
