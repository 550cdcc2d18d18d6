import { endpoints, QuireError } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { checkInput } from './check-input.ts'

// Terms of the validator that users should not see.
const foreign =
  /Invalid (?:input|option|string|number|key|value|discriminator)|Too (?:small|big)|expected .* received|Unrecognized key/i

const wrong: readonly unknown[] = [
  null,
  '',
  'abc',
  'x'.repeat(20_000),
  -1,
  0,
  1.5,
  1e21,
  true,
  [],
  [null],
  [{}],
  [[1]],
  {},
  { a: null },
  { a: { b: [1] }, 'x y': '' },
  Array.from({ length: 2000 }, () => 1),
]

/** Why an input is refused; undefined if it is accepted. */
function refusal(endpoint: (typeof endpoints)[number]['endpoint'], input: unknown): string[] {
  try {
    checkInput(endpoint, input)
    return []
  } catch (error) {
    if (!(error instanceof QuireError)) throw error
    return [error.message, ...(error.issues ?? []).map(({ message }) => message)]
  }
}

describe('an input that an operation refuses', () => {
  it.each(endpoints.map(({ group, operation, endpoint }) => [`${group}.${operation}`, endpoint] as const))(
    'of %s is refused in words of ours',
    (_name, endpoint) => {
      const example = endpoint.example?.input ?? {}
      const inputs = Object.keys(endpoint.input.shape).flatMap((member) =>
        wrong.map((value) => ({ ...example, [member]: value })),
      )
      for (const input of [...wrong, ...inputs])
        for (const words of refusal(endpoint, input)) {
          expect(words).not.toMatch(foreign)
          expect(words).not.toBe('')
        }
    },
  )
})
