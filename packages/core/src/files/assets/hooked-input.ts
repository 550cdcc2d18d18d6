import { contract, type Contract, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { hasBefore, runBefore } from '../../engine/hooks/before.ts'
import type { Scope } from '../../engine/scope.ts'
import { assetOfFile, fileForHooks } from './received-file.ts'

type Input = ParsedOf<Contract['assets']['create']>

/**
 * The input of `assets.create` after the hook `before`, for other operations that make a new asset:
 * hooks see each of them as that operation. Must not be called inside a transaction. Errors: those
 * of `runBefore`.
 */
export async function hookedInput(call: Call, scope: Scope, input: Input): Promise<Input> {
  if (!hasBefore(call, 'item')) return input
  const changed = await runBefore(call, {
    kind: 'item',
    operation: 'assets.create',
    endpoint: contract.assets.create,
    input,
    scope,
    head: null,
    file: fileForHooks(assetOfFile(input.file)),
  })
  // `runBefore` has parsed by the schema of the endpoint.
  return changed as Input
}
