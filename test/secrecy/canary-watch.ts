import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A secret that was disclosed once, on purpose. */
export interface Canary {
  readonly name: string
  readonly text: string
}

/** A received answer: status, headers and body. */
export interface Received {
  readonly request: string
  readonly text: string
}

/** Sends requests and records all answers. */
export class CanaryWatch {
  readonly canaries: Canary[] = []
  readonly received: Received[] = []
  readonly #url: () => string

  constructor(url: () => string) {
    this.#url = url
  }

  /** Registers a secret to search for: as it is, URL-encoded, and in base64. */
  plant(name: string, text: string): string {
    this.canaries.push({ name, text })
    return text
  }

  /** Sends a request and records its answer under this name. */
  async send(request: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.#url()}${path}`, { redirect: 'manual', ...init })
    const body = await response.clone().text()
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.received.push({ request, text: `${response.status}\n${headers}\n${body}` })
    return response
  }

  /** The answers that contain a canary, except for the one that issued it. */
  reported(): string[] {
    return this.canaries.flatMap(({ name, text }) =>
      this.received
        .filter((answer) => answer.request !== name && holds(Buffer.from(answer.text), text))
        .map((answer) => `${name} in the answer to ${answer.request}`),
    )
  }

  /** The canaries that a text contains. */
  within(scope: string, text: string): string[] {
    return this.canaries
      .filter((canary) => holds(Buffer.from(text), canary.text))
      .map(({ name }) => `${name} in ${scope}`)
  }

  /** The files below a folder that contain a canary. */
  stored(folder: string): string[] {
    return filesBelow(folder).flatMap((file) => {
      const bytes = readFileSync(file)
      const found = this.canaries.filter(({ text }) => holds(bytes, text))
      return found.map(({ name }) => `${name} in ${relative(folder, file)}`)
    })
  }
}

/** All files below a folder. */
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
