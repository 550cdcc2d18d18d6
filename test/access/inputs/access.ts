import type { Targets } from '../targets.ts'
import type { InputMakers } from './input-makers.ts'

/** Requests about access configurations. */
export const access: InputMakers<'access'> = {
  list: () => ({ limit: 1 }),
  get: onConfiguration,
  delete: onConfiguration,
}

async function onConfiguration({ system, word }: Targets) {
  const { id } = await system.admin.generateKey({ name: word('Access'), type: 'http' })
  return { id }
}
