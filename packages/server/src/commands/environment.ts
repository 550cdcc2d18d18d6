import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'

/**
 * Completes the environment before the flags are parsed: with the variables of the file that
 * `--env-file` names, and with the contents of files. `QUIRE_X_FILE` names a file that holds the
 * value of `QUIRE_X`, as container platforms store secrets. Variables that are set already win.
 * Errors: CommanderError for a file that cannot be read, or a value that is given twice.
 */
export function completeEnvironment(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const file = valueOf(argv, '--env-file')
  if (file !== undefined) reading(`--env-file ${file}`, () => process.loadEnvFile(file))
  for (const [name, path = ''] of Object.entries(env)) {
    const target = /^(QUIRE_\w+)_FILE$/.exec(name)?.[1]
    if (target === undefined) continue
    if (target === 'QUIRE_KEY') throw wrong(`QUIRE_KEY names a file already: set it instead of ${name}.`)
    if (env[target] !== undefined) throw wrong(`${name} and ${target} are both set: remove one of them.`)
    env[target] = reading(`${name}=${path}`, () => readFileSync(path, 'utf8').replace(/\r?\n$/, ''))
  }
}

function valueOf(argv: readonly string[], flag: string): string | undefined {
  const index = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  if (index === -1) return undefined
  const word = argv[index] ?? ''
  return word === flag ? (argv[index + 1] ?? '') : word.slice(flag.length + 1)
}

function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw wrong(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function wrong(message: string): CommanderError {
  process.stderr.write(`error: ${message}\n`)
  return new CommanderError(2, 'quire.environment', message)
}
