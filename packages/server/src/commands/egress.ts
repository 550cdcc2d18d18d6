import { parseEgressAllow } from '@quire/outbound-undici'
import { OperatorError } from '../operator-error.ts'

/** Errors: OperatorError, of a wrong call, for an entry that is none. */
export function allowedEgress({ egressAllow = '' }: { readonly egressAllow?: string }): readonly string[] {
  try {
    return parseEgressAllow(egressAllow)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`--egress-allow: ${reason}`, { exitCode: 2, cause: error })
  }
}
