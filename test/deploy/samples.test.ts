import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { quireCommand } from '../server/quire-command.ts'
import { nginxConfig } from './proxy.ts'
import { adapted, program, sample, samplePath } from './samples.ts'

const { isMissing: noNginx, ...nginx } = program('nginx')
const { isMissing: noCaddy, ...caddy } = program('caddy')
const { isMissing: noCompose, ...compose } = program('compose')
const { isMissing: noSystemd, ...systemd } = program('systemd')

const composeFiles = ['compose.yaml', 'compose.postgres.yaml'] as const

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-samples-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a program, and returns its exit code and what it wrote about errors. */
function check(path: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(path, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the samples of proxies', () => {
  it.skipIf(noNginx)(`are accepted by nginx as they are, with a certificate, ${nginx.location}`, () => {
    const folder = aFolder()
    const files = { fullchain: join(folder, 'fullchain.pem'), privkey: join(folder, 'privkey.pem') }
    const subject = ['-subj', '/CN=content.example.org', '-days', '1', '-nodes']
    const made = ['-keyout', files.privkey, '-out', files.fullchain]
    execFileSync('/usr/bin/openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...made], {
      stdio: 'ignore',
    })
    const site = adapted(sample('nginx.conf'), {
      '/etc/letsencrypt/live/content.example.org': folder,
    })
    const config = join(folder, 'nginx.conf')
    writeFileSync(config, nginxConfig(folder, site))
    const { status, stderr } = check(nginx.path, ['-t', '-p', folder, '-c', config])
    expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
  })

  it.skipIf(noCaddy)(`are accepted by Caddy, ${caddy.location}`, () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', samplePath('Caddyfile')]
    const folder = aFolder()
    const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const { status, stdout, stderr } = check(caddy.path, args, env)
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('Valid configuration')])
  })
})

describe.each(composeFiles)('%s', (name) => {
  it.skipIf(noCompose)(`is accepted by docker-compose, ${compose.location}`, () => {
    // Debian's docker-compose 1 reads all of the format but the name of the project.
    const file = join(aFolder(), name)
    writeFileSync(file, sample(name).replace(/^name: .*\n/m, ''))
    const env = { QUIRE_DOMAIN: 'content.example.org' }
    expect(check(compose.path, ['--file', file, 'config', '--quiet'], env)).toMatchObject({ status: 0 })
    expect(check(compose.path, ['--file', file, 'config', '--quiet'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the host name of the service'),
    })
  })

  it('sets only variables that the service reads', () => {
    const help = check(process.execPath, [...quireCommand, 'serve', '--help']).stdout
    const service = sample(name).split('\n  proxy:')[0] ?? ''
    const variables = [...service.matchAll(/^ {6}(QUIRE_\w+?)(?:_FILE)?:/gm)].map(([, variable]) => variable)
    expect(variables).toContain('QUIRE_TRUST_PROXY')
    expect(variables.filter((variable) => !help.includes(`${variable}`))).toEqual([])
  })

  it('trusts the addresses of its own network, and mounts files that exist', () => {
    const [, trusted] = /QUIRE_TRUST_PROXY: (.+)/.exec(sample(name)) ?? []
    expect(trusted).toMatch(/^[\d.]+\/24$/)
    expect(sample(name)).toContain(`[{ subnet: ${trusted} }]`)
    const mounted = [...sample(name).matchAll(/- \.\/([\w./-]+):/g)].map(([, path = '']) => path)
    expect(mounted).toContain('Caddyfile')
    expect(mounted.filter((path) => !existsSync(samplePath(path)))).toEqual([])
  })

  it('publishes only the ports of the proxy', () => {
    expect(sample(name).match(/^ +ports:.*$/gm)).toEqual(["    ports: ['80:80', '443:443']"])
  })
})

describe('quire.service', () => {
  const unit = sample('quire.service')
  const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]

  it.skipIf(noSystemd)(`is accepted by systemd, and rated as hardened, ${systemd.location}`, () => {
    const file = join(aFolder(), 'quire.service')
    writeFileSync(file, adapted(unit, { '/usr/bin/node ': `${process.execPath} ` }))
    expect(check(systemd.path, ['verify', file])).toEqual({ status: 0, stdout: '', stderr: '' })
    // The threshold is ten times the exposure, of which 10.0 is the worst.
    const rated = check(systemd.path, ['security', '--offline=true', '--threshold=20', file])
    expect(rated).toMatchObject({ status: 0, stdout: expect.stringContaining('OK') })
  })

  it('runs what the image runs, as a user without privileges, with time to stop', () => {
    const [, entry] = /^ENTRYPOINT \["node", "(.+)"\]$/m.exec(sample('Dockerfile')) ?? []
    expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${entry} serve`)
    expect([valueOf('DynamicUser'), valueOf('NoNewPrivileges'), valueOf('ProtectSystem')]).toEqual([
      'yes',
      'yes',
      'strict',
    ])
    expect(valueOf('CapabilityBoundingSet')).toBe('')
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThanOrEqual(20)
    expect(valueOf('Environment')).toContain(`QUIRE_DATA=/var/lib/${valueOf('StateDirectory')}`)
  })

  it('lets Node compile code and the background threads lower their priority', () => {
    expect(valueOf('MemoryDenyWriteExecute')).toBeUndefined()
    expect(unit).not.toMatch(/^SystemCallFilter=~.*@resources/m)
  })
})
