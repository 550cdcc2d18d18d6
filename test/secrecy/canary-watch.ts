import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A secret that was given away once, on purpose. */
export interface Canary {
  readonly name: string
  readonly text: string
}

/** An answer as it came: status, headers and body. */
export interface Received {
  readonly request: string
  readonly text: string
}

/** Sends requests and keeps all that comes back. */
export class CanaryWatch {
  readonly canaries: Canary[] = []
  readonly received: Received[] = []
  readonly #url: () => string

  constructor(url: () => string) {
    this.#url = url
  }

  /** Keeps a secret to look for later; in that form, and as it stands in an address and in base64. */
  plant(name: string, text: string): string {
    this.canaries.push({ name, text })
    return text
  }

  /** Sends a request. Its answer is kept under this name. */
  async send(request: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.#url()}${path}`, { redirect: 'manual', ...init })
    const body = await response.clone().text()
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.received.push({ request, text: `${response.status}\n${headers}\n${body}` })
    return response
  }

  /** The answers that hold a canary, but for the one that gave it away. */
  reported(): string[] {
    return this.canaries.flatMap(({ name, text }) =>
      this.received
        .filter((answer) => answer.request !== name && holds(Buffer.from(answer.text), text))
        .map((answer) => `${name} in the answer to ${answer.request}`),
    )
  }

  /** The canaries that stand in a text. */
  within(scope: string, text: string): string[] {
    return this.canaries
      .filter((canary) => holds(Buffer.from(text), canary.text))
      .map(({ name }) => `${name} in ${scope}`)
  }

  /** The files of a folder, at any depth, that hold a canary. */
  stored(folder: string): string[] {
    return filesBelow(folder).flatMap((file) => {
      const bytes = readFileSync(file)
      const found = this.canaries.filter(({ text }) => holds(bytes, text))
      return found.map(({ name }) => `${name} in ${relative(folder, file)}`)
    })
  }
}

/** All files of a folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function holds(bytes: Buffer, text: string): boolean {
  const spellings = [text, encodeURIComponent(text), Buffer.from(text).toString('base64')]
  return spellings.some((spelling) => bytes.includes(spelling))
}
