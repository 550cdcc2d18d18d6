import { sample } from './samples.ts'

/** What the Dockerfile says about the image. */
export interface Image {
  /** The command of the build stage that installs and builds. */
  readonly build: string
  /** The command that runs in the image. */
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: string
}

/** Reads the Dockerfile in `deploy`. Errors: Error if it lacks an instruction. */
export function readImage(): Image {
  const text = sample('Dockerfile').replaceAll(/\\\n/g, ' ')
  const valuesOf = (instruction: string) =>
    [...text.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, value = '']) => value)
  const one = (instruction: string) => {
    const [value] = valuesOf(instruction)
    if (value === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
    return value
  }
  const entries = one('ENV')
    .split(' ')
    .map((entry) => entry.split('='))
  return {
    build: one('RUN'),
    command: [...words(one('ENTRYPOINT')), ...words(one('CMD'))],
    health: words(one('HEALTHCHECK').replace(/^.*CMD /, '')),
    env: Object.fromEntries(entries.map(([name = '', value = '']) => [name, value])),
    user: valuesOf('USER').at(-1) ?? 'root',
  }
}

function words(json: string): string[] {
  return JSON.parse(json) as string[]
}
