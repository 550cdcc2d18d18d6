import { OperatorError } from '../operator-error.ts'

/** The id and secret of a service account. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The environment variables that give them. */
export const environmentNames = { id: 'QUIRE_ADMIN_CLIENT_ID', secret: 'QUIRE_ADMIN_CLIENT_SECRET' } as const

// Guessing is limited to ten attempts a minute. A shorter secret could still be guessed in time.
const shortestSecret = 8
const longestSecret = 256

/**
 * The account that the environment defines; undefined when it defines none.
 * Errors: OperatorError when only one of the two variables is set, or one is invalid.
 */
export function givenCredentials(env: NodeJS.ProcessEnv): Credentials | undefined {
  const clientId = env[environmentNames.id] ?? ''
  const clientSecret = env[environmentNames.secret] ?? ''
  if (clientId === '' && clientSecret === '') return undefined
  const missing = clientSecret === '' ? environmentNames.secret : environmentNames.id
  if (clientId === '' || clientSecret === '')
    throw new OperatorError(`${missing} is missing: set it, or ${missing}_FILE.`, { exitCode: 2 })
  if (!/^[\w.@-]{1,128}$/.test(clientId)) {
    throw new OperatorError(`${environmentNames.id} must be 1 to 128 letters, digits and ._@-.`, {
      exitCode: 2,
    })
  }
  if (clientSecret.length < shortestSecret || clientSecret.length > longestSecret) {
    const range = `${shortestSecret} to ${longestSecret}`
    throw new OperatorError(`${environmentNames.secret} must have ${range} characters.`, { exitCode: 2 })
  }
  return { clientId, clientSecret }
}
