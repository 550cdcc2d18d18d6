import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a script of this folder in a child process, sends it `wanted`, and returns its answer.
 * Errors: the process exits before it answers.
 */
export function askChild<T>(script: string, wanted: object): Promise<T> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)))
  child.send(wanted)
  return new Promise((resolve, reject) => {
    child.once('message', (answer: T) => {
      child.disconnect()
      resolve(answer)
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
}
