import { parseEgressAllow } from '@quire/outbound-undici'
import { OperatorError } from '../operator-error.ts'

/** Parses `--egress-allow`. Errors: OperatorError with exit code 2 for an invalid entry. */
export function allowedEgress({ egressAllow = '' }: { readonly egressAllow?: string }): readonly string[] {
  try {
    return parseEgressAllow(egressAllow)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`--egress-allow: ${reason}`, { exitCode: 2, cause: error })
  }
}
