import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { adapted, program, sample } from './samples.ts'

/** A proxy that runs with a sample. */
export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

/** What nginx needs around a site, with everything that it writes in a folder. */
export function nginxConfig(folder: string, site: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `daemon off; pid ${folder}/nginx.pid; worker_processes 1;
error_log ${folder}/error.log;
events {}
http {
access_log off;
${temporary.join('\n')}
${site}
}
`
}

/** Runs nginx with the sample in front of a service, on 127.0.0.1 and without TLS. */
export async function startNginx(service: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-nginx-'))
  const [redirect, port] = [await freePort(), await freePort()]
  const site = adapted(sample('nginx.conf'), {
    'server 127.0.0.1:3000;': `server ${new URL(service).host};`,
    'listen 80;': `listen 127.0.0.1:${redirect};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port};`,
  }).replaceAll(/^ *ssl_.*\n/gm, '')
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, nginxConfig(folder, site))
  return start({ folder, port, command: [program('nginx').path, '-p', folder, '-c', config] })
}

/** Runs Caddy with the sample in front of a service, on 127.0.0.1 and without TLS. */
export async function startCaddy(service: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-caddy-'))
  const port = await freePort()
  const config = join(folder, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${sample('Caddyfile')}`)
  const command = [program('caddy').path, 'run', '--adapter', 'caddyfile', '--config', config]
  const env = {
    QUIRE_DOMAIN: `http://127.0.0.1:${port}`,
    QUIRE_UPSTREAM: new URL(service).host,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  return start({ folder, port, command, env })
}

interface Start {
  readonly folder: string
  readonly port: number
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

async function start({ folder, port, command, env }: Start): Promise<Proxy> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (text) => (output += String(text)))
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}: ${output}`)
    await wait(50)
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
