import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { onTestFinished } from 'vitest'
import { openQuire, type OpenedQuire } from '../src/open-quire.ts'
import { quireCommand } from '../../../test/server/quire-command.ts'

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own, removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-cli-'))
  // A server that was just stopped may still write: then removing is tried again.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

/** Runs the command to its end. */
export async function quire(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = start(args, env)
  const texts = collect(child)
  const code = await ended(child)
  return { code, ...texts() }
}

/**
 * Runs the command until it prints a pattern and kills it then, or to its end if it never prints
 * it. `code` is null when it was killed.
 */
export async function killedAt(
  text: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = start(args, env)
  const texts = collect(child)
  child.stdout?.on('data', () => {
    if (texts().stdout.includes(text)) child.kill('SIGKILL')
  })
  const code = await ended(child)
  return { code, ...texts() }
}

/** Opens a data folder in this process while `work` runs, as a server or the importer would. */
export async function inFolder<T>(
  data: string,
  work: (opened: OpenedQuire, api: Api) => Promise<T>,
): Promise<T> {
  const opened = await openQuire({ data, baseUrl: 'http://127.0.0.1:3000' })
  try {
    return await work(opened, opened.quire.as(systemIdentity('test')))
  } finally {
    await opened.quire.close()
  }
}

/** A running `quire serve`. */
export interface ServedFolder {
  readonly url: string
  readonly child: ChildProcess
  readonly texts: () => { stdout: string; stderr: string }
  /** A token of the administrator that `admin.json` names. */
  token(): Promise<string>
  get(path: string): Promise<Response>
  /** Sends a signal and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Serves a data folder on a free port until the test is over. */
export async function serveFolder(data: string, env: NodeJS.ProcessEnv = {}): Promise<ServedFolder> {
  const child = start(['serve', '--port', '0', '--data', data], {
    QUIRE_DEMO: '0',
    QUIRE_RATE_LIMIT: '0',
    ...env,
  })
  const texts = collect(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = await readyUrl(child, texts)
  const token = async () => {
    const { clientId, clientSecret } = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
    return tokenFor(url, { clientId, clientSecret })
  }
  return {
    url,
    child,
    texts,
    token,
    get: async (path) => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${await token()}` } }),
    stop: (signal = 'SIGTERM') => {
      const code = ended(child)
      child.kill(signal)
      return code
    },
  }
}

/** A token for a service account. */
export async function tokenFor(
  url: string,
  account: { clientId: string; clientSecret: string },
): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = account
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const response = await fetch(`${url}/oauth2/token`, { method: 'POST', body })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...quireCommand, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => (texts.stdout += String(chunk)))
  child.stderr?.on('data', (chunk) => (texts.stderr += String(chunk)))
  return () => texts
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code))
  })
}

function readyUrl(child: ChildProcess, texts: () => { stdout: string; stderr: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const line = texts()
        .stdout.split('\n')
        .find((text) => text.startsWith('{"event":"ready"'))
      if (line?.endsWith('}')) resolve((JSON.parse(line) as { url: string }).url)
    })
    child.on('close', (code) => reject(new Error(`serve ended with ${code}: ${texts().stderr}`)))
  })
}
