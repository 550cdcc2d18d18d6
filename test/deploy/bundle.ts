import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Image } from './image.ts'
import { completed, giveToOther, spawnAsOther } from './other-user.ts'

const root = dirname(dirname(import.meta.dirname))

/** A bundle that another user has built, as the Dockerfile does. */
export interface Bundle {
  /** The folder that is /opt/quire in the image. */
  readonly app: string
  /** The folder that is /var/lib/quire in the image. */
  readonly data: string
  /** The environment of the image, with these folders. */
  readonly env: NodeJS.ProcessEnv
  /** Replaces the paths of the image by those of the bundle. */
  at(command: readonly string[]): string[]
  /** Writes a file that the other user may read. Returns its path. */
  secret(name: string, text: string): string
  remove(): void
}

/**
 * Copies the sources into an empty folder and runs the build command of the image there, as another
 * user. Then removes the sources, because the bundle must not need them.
 */
export async function buildBundle(image: Image): Promise<Bundle> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-bundle-'))
  chmodSync(folder, 0o755)
  const inFolder = (name: string) => join(folder, name)
  copySources(inFolder('src'))
  copyStore(inFolder('home'))
  giveToOther(folder)
  const [app, data] = [inFolder('app'), inFolder('data')]
  const localized = (text: string) => text.replaceAll('/opt/quire', app).replaceAll('/var/lib/quire', data)
  const env = { ...inherited(), HOME: inFolder('home'), CI: 'true' }
  await completed(spawnAsOther(['sh', '-c', localized(image.build)], { cwd: inFolder('src'), env }))
  rmSync(inFolder('src'), { recursive: true })
  const own = Object.entries(image.env).map(([name, value]) => [name, localized(value)])
  return {
    app,
    data,
    env: { ...env, ...Object.fromEntries(own), QUIRE_HOST: '127.0.0.1' },
    at: (command) => command.map(localized),
    secret(name, text) {
      const file = inFolder(name)
      writeFileSync(file, text, { mode: 0o444 })
      return file
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/** Copies the files that git knows or would add. */
function copySources(target: string): void {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0')
  mkdirSync(target)
  for (const path of listed.filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, path), join(target, path))
}

/** Copies the packages that are installed here, so that they are not downloaded again. */
function copyStore(home: string): void {
  const store = join(home, '.local/share/pnpm/store')
  mkdirSync(store, { recursive: true })
  const { status, stdout } = spawnSync('pnpm', ['store', 'path'], { cwd: root, encoding: 'utf8' })
  if (status === 0) execFileSync('cp', ['--archive', stdout.trim(), store])
}

/** What a user needs to run programs and to reach the registry, without settings of this run. */
function inherited(): NodeJS.ProcessEnv {
  const names = [
    'PATH',
    'LANG',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
  ]
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
