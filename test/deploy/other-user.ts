import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'

const isRoot = process.getuid?.() === 0

/** Runs a command as the user nobody if this process may, and otherwise as its own user. */
export function spawnAsOther(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): ChildProcess {
  const other = isRoot ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : []
  const [file = '', ...args] = [...other, ...command]
  return spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Waits for the end of a command. Errors: Error with its output if its exit code is not 0. */
export async function completed(child: ChildProcess): Promise<string> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}`)
  return output
}

/** Gives files to the user that `spawnAsOther` runs commands as. */
export function giveToOther(folder: string): void {
  if (isRoot) execFileSync('chown', ['--recursive', 'nobody:nogroup', folder])
}
