import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Has a script beside this one do some work in a process of its own, and gives what it answers. Errors: its end before that. */
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
