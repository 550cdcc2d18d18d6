import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { S3BlobsOptions } from '@quire/blobs-s3'

/** Debian's Python, because the Swift packages work with no other. */
const python = '/usr/bin/python3'
const packages = 'apt-get install --no-install-recommends python3-swift memcached'

/** Why the tests with a real store cannot run here; null if they can. */
function whyNoSwift(): string | null {
  const isThere = existsSync('/usr/bin/memcached') && existsSync(python)
  const swift = isThere ? spawnSync(python, ['-c', 'import swift.common.wsgi']).status : 1
  return swift === 0 ? null : `Swift is not installed: ${packages}`
}

/** A running store. */
export interface Swift {
  readonly endpoint: string
  /** The options that open the test bucket. */
  readonly options: S3BlobsOptions
  /** A client that bypasses the adapter, for changes behind its back. */
  readonly client: S3Client
  stop(): Promise<void>
}

const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing-secret' }

/** The test bucket. */
export const bucket = 'quire-tests'

/**
 * Starts a store for the tests of a file. If that is impossible, they are skipped with the reason,
 * or fail where all tests must run (`CI`).
 */
export function useSwift(): () => Swift {
  const absent = whyNoSwift()
  let swift: Swift | null = null
  beforeAll(async () => {
    if (absent === null) swift = await startSwift()
  }, 90_000)
  afterAll(() => swift?.stop())
  beforeEach(({ skip }) => {
    if (absent !== null && process.env.CI) throw new Error(absent)
    if (absent !== null) skip(absent)
  })
  return () => {
    if (!swift) throw new Error('Swift is not running.')
    return swift
  }
}

/** Replaces the bytes of an object, as a failing disk would. */
export async function overwrite({ client }: Swift, key: string, bytes: Uint8Array): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }))
}

/** Starts a store with an empty bucket. It takes about 3 s and 270 MB of memory. */
async function startSwift(): Promise<Swift> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-swift-'))
  const port = await freePorts(5)
  const script = join(import.meta.dirname, 'swift-s3.py')
  const child = spawn(python, [script, folder, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] })
  await ready(child, folder)
  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3Client({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    endpoint,
    options: { bucket, endpoint, credentials },
    client,
    async stop() {
      client.destroy()
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'close')
      await rm(folder, { recursive: true })
    },
  }
}

async function ready(child: ChildProcess, folder: string): Promise<void> {
  const reported = new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('close', () => reject(new Error(`Swift did not start: see ${folder}/logs`)))
    setTimeout(() => reject(new Error('Swift was not ready after 60 s')), 60_000).unref()
  })
  await reported
}

/** The first of several consecutive ports without listeners. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 12_000)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const free = await Promise.all(ports.map(isFree))
    if (free.every(Boolean)) return first
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
