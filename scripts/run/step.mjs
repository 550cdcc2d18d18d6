import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const TAIL_LINES = 80
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs one step. Prints a line when it starts and one when it is done; on a terminal, one line that
 * counts the seconds. On failure prints the tail of its output and exits with its code.
 */
export async function step(name, command, { cwd = root, live = false } = {}) {
  const started = Date.now()
  const seconds = () => (Date.now() - started) / 1000
  const counter = process.stderr.isTTY && !live && count(name, seconds)
  if (!counter) report(`${name} …`)
  const { code, output } = await run(command, { cwd, live })
  const took = `${seconds().toFixed(1)} s`
  if (counter) endCount(counter)
  if (code === 0) {
    report(`${name} … ${took}`)
    return
  }
  const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  if (tail) console.error(tail)
  console.error(`[quire] ${name} failed after ${took} (exit code ${code}): ${command.join(' ')}`)
  process.exit(code)
}

function count(name, seconds) {
  const print = () => process.stderr.write(`\r[quire] ${name} … ${Math.floor(seconds())} s`)
  print()
  return setInterval(print, 1000)
}

function endCount(counter) {
  clearInterval(counter)
  // Back to the beginning of the line, which is then overwritten.
  process.stderr.write('\r\u001B[K')
}

/** Runs a command in the foreground and returns its exit code. */
export async function forward(command) {
  const { code } = await run(command, { cwd: root, live: true })
  return code
}

/** Prints to standard error, because the standard output belongs to the final command. */
export function report(line) {
  console.error(`[quire] ${line}`)
}

function run([file, ...args], { cwd, live }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    }
    const handlers = FORWARDED.map((signal) => {
      // A terminal sends Ctrl-C to the whole process group, so passing it on would send it twice.
      const handler = () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
      process.on(signal, handler)
      return () => process.off(signal, handler)
    })
    const end = (code) => {
      for (const remove of handlers) remove()
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += `${error.message}\n`
      if (live) console.error(error.message)
      end(127)
    })
    child.on('close', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}
