import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const cli = join(import.meta.dirname, '../dist/cli.js')
const isBuilt = existsSync(cli)
const skipped = isBuilt ? '' : ' (skipped: npm run build makes it)'

const data = mkdtempSync(join(tmpdir(), 'quire-built-'))
afterAll(() => rmSync(data, { recursive: true }))

/**
 * The command as it is shipped, which differs from its sources: module names, chunks, loading on
 * demand.
 */
describe.skipIf(!isBuilt)(`the built command${skipped}`, () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8', maxBuffer: 16 * 1024 ** 2 })

  it('serves, creates an account, and finds no fault in its folder', async () => {
    const env = { ...process.env, QUIRE_DEMO: '0' }
    const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', data, '--log', 'error'], {
      env,
    })
    const [ready] = await once(server.stdout, 'data')
    expect(JSON.parse(String(ready))).toMatchObject({ event: 'ready' })
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    const made = run(
      'service-account',
      'create',
      '--name',
      'Site',
      '--bundle',
      'bundle.viewer',
      '--data',
      data,
    )
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ clientSecret: expect.any(String) })
    const doctor = run('doctor', '--data', data)
    expect({ status: doctor.status, stderr: doctor.stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('consists of files that can be loaded, with one class for each error of the ports', () => {
    const folder = join(cli, '..')
    const files = readdirSync(folder).filter((file) => file.endsWith('.js') && file !== 'cli.js')
    const urls = JSON.stringify(files.map((file) => pathToFileURL(join(folder, file)).href))
    const script = `for (const url of ${urls}) await import(url)`
    const loaded = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    expect({ status: loaded.status, stderr: loaded.stderr }).toEqual({ status: 0, stderr: '' })
    const copies = files.filter((file) =>
      /name ?= ?"(?:Store|Blobs)Unavailable"/.test(readFileSync(join(folder, file), 'utf8')),
    )
    expect(copies).toEqual([])
  })

  it('prints the OpenAPI document', () => {
    expect(JSON.parse(run('openapi').stdout)).toMatchObject({ openapi: '3.1.0' })
  })
})
