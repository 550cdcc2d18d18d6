import { expect, it } from 'vitest'
import { usageIn } from './operations.ts'

it.each([
  ['{"usage":{"total_tokens":7}}', 7],
  ['{"usage":{"total_tokens":0}}', 0],
  [' {"usage":null}', null],
  ['{"usage":{"total_tokens":-1}}', null],
  ['{"usage":{"total_tokens":"7"}}', null],
  ['{"choices":[]}', null],
  ['[DONE]', null],
  ['{"usage":', null],
])('of %j the tokens are %j', (text, tokens) => {
  expect(usageIn(text)).toBe(tokens)
})
