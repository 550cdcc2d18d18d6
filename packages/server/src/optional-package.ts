import { OperatorError } from './operator-error.ts'

/**
 * Loads code that needs a package which is installed only by those who use it. Errors:
 * OperatorError with exit code 2 that names the command to install it.
 */
export async function withPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new OperatorError(`This needs the package ${name}: run npm install ${name}, then try again.`, {
      exitCode: 2,
    })
  }
}

function isMissing(error: unknown, name: string): boolean {
  const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isNotFound && error.message.includes(`'${name}'`)
}
