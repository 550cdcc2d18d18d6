import { OperatorError } from '../operator-error.ts'

/** The id and secret of a service account. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** What the environment calls them. */
export const environmentNames = { id: 'QUIRE_ADMIN_CLIENT_ID', secret: 'QUIRE_ADMIN_CLIENT_SECRET' } as const

// Guessing is limited to ten a minute; a shorter secret falls to a patient one.
const shortestSecret = 8
const longestSecret = 256

/** The account that the environment names; undefined when it names none. Errors: OperatorError when it names half of one. */
export function givenCredentials(env: NodeJS.ProcessEnv): Credentials | undefined {
  const clientId = env[environmentNames.id] ?? ''
  const clientSecret = env[environmentNames.secret] ?? ''
  if (clientId === '' && clientSecret === '') return undefined
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
