import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { completeEnvironment } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-env-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** What is printed, and the thrown message. */
function refusal(argv: readonly string[], env: NodeJS.ProcessEnv): [printed: string, thrown: string] {
  let printed = ''
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  try {
    completeEnvironment(argv, env)
    return ['', '']
  } catch (error) {
    return [printed, String(error)]
  } finally {
    write.mockRestore()
  }
}

describe('variables', () => {
  it('take the contents of the files that QUIRE_*_FILE name, without the last line break', () => {
    const env: NodeJS.ProcessEnv = {
      QUIRE_CLIENT_SECRET_FILE: fileWith('secret', 's3cret\n'),
      OTHER_FILE: '/nowhere',
    }
    completeEnvironment([], env)
    expect(env['QUIRE_CLIENT_SECRET']).toBe('s3cret')
    expect(env['OTHER']).toBeUndefined()
  })

  it('are not given twice, and files that are missing are named', () => {
    const [printed] = refusal([], { QUIRE_CLIENT_SECRET_FILE: '/nowhere', QUIRE_CLIENT_SECRET: 'a' })
    expect(printed).toContain('QUIRE_CLIENT_SECRET_FILE and QUIRE_CLIENT_SECRET are both set')
    expect(refusal([], { QUIRE_CLIENT_SECRET_FILE: '/nowhere' })[0]).toContain(
      'QUIRE_CLIENT_SECRET_FILE=/nowhere: ENOENT',
    )
    expect(refusal([], { QUIRE_KEY_FILE: '/nowhere' })[0]).toContain('QUIRE_KEY names a file already')
  })

  it('come from the file of --env-file, unless they are set', () => {
    const file = fileWith('.env', 'QUIRE_TEST_ONE=1\nQUIRE_TEST_TWO="two words"\n')
    process.env['QUIRE_TEST_ONE'] = 'set'
    completeEnvironment(['node', 'quire', `--env-file=${file}`, 'serve'], process.env)
    expect([process.env['QUIRE_TEST_ONE'], process.env['QUIRE_TEST_TWO']]).toEqual(['set', 'two words'])
    delete process.env['QUIRE_TEST_ONE']
    delete process.env['QUIRE_TEST_TWO']
    expect(refusal(['--env-file', join(folder, 'none')], {})[0]).toMatch(/error: --env-file .*none: ENOENT/)
  })
})
