import { limits } from '@quire/contract'
import type { LiquidError } from 'liquidjs'
import { tooLarge } from './page-emitter.ts'
import type { TemplatePlace } from './template-fault.ts'

/** Where an error of the engine arose, counted from 1. `rendered`: the template that was rendered, for what has no place in a text. */
export function placeOf({ token }: LiquidError, rendered: string | null): TemplatePlace {
  if (token.file === undefined) return { template: rendered, line: null, column: null }
  const [line = null, column = null] = token.getPosition()
  return { template: token.file, line, column }
}

/** What an error of the engine says is wrong, for people. */
export function problemOf(error: LiquidError): string {
  const message = messageOf(error)
  const found = wordings.find(([pattern]) => pattern.test(message))
  return found === undefined ? message : message.replace(...found)
}

/** The engine adds the place to its messages, in a form of its own. */
function messageOf({ message, originalError }: LiquidError): string {
  const own = originalError?.message ?? message
  return own.replace(/(?:, file:[^\n]*)?, line:\d+, col:\d+$/, '').split('\n', 1)[0] ?? ''
}

const wordings: readonly (readonly [RegExp, string])[] = [
  [/^undefined filter: (.*)$/, 'there is no filter "$1"'],
  [/^tag "(.*)" not found$/, 'there is no tag "$1"'],
  [/^tag (.*) not closed$/, '$1 is not closed'],
  [/^output (.*) not closed$/, '$1 is not closed'],
  [/^memory alloc limit exceeded$/, 'it takes more memory than a page may'],
  [/^illegal file path .*$/, 'the template to show has no name'],
  [/^Invalid string length$/, tooLarge],
  [/^parse length limit exceeded$/, `it is longer than ${limits.template} characters`],
  [/^Maximum call stack size exceeded$/, 'it is nested too deep'],
]
