import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the page, as it is sent. */
export interface ConsoleFile {
  readonly type: string
  readonly bytes: Buffer
}

/** The page, and what it loads, by name. */
export interface ConsoleFiles {
  readonly page: ConsoleFile
  readonly assets: ReadonlyMap<string, ConsoleFile>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Whether `@quire/console` is installed beside this package, and built. */
export function isInstalled(): boolean {
  const page = pageUrl()
  return page !== null && existsSync(fileURLToPath(page))
}

/**
 * Reads all files of the page. `path` is where it is served, with a slash at both ends: its base, so
 * that it works below any prefix of a proxy.
 */
export async function readConsole(path: string): Promise<ConsoleFiles> {
  const url = pageUrl()
  if (url === null) throw new Error('@quire/console is not installed.')
  const folder = new URL('assets/', url)
  const names = (await readdir(folder)).filter((name) => extname(name) in types)
  const html = (await readFile(url, 'utf8')).replace('<base href="/console/"', `<base href="${path}"`)
  return {
    page: { type: 'text/html; charset=utf-8', bytes: Buffer.from(html) },
    assets: new Map(
      await Promise.all(
        names.map(async (name): Promise<[string, ConsoleFile]> => {
          const bytes = await readFile(new URL(name, folder))
          return [name, { type: types[extname(name)] ?? '', bytes }]
        }),
      ),
    ),
  }
}

function pageUrl(): URL | null {
  try {
    return new URL(import.meta.resolve('@quire/console/index.html'))
  } catch {
    return null
  }
}
