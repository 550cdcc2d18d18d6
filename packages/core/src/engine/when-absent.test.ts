import { QuireError } from '@quire/contract'
import { expect, it } from 'vitest'
import { whenAbsent } from './when-absent.ts'

async function failing(cause: Error): Promise<string> {
  throw cause
}

const lookUp = (cause: Error) => failing(cause).catch(whenAbsent(() => 'none'))

it('returns a substitute for something that does not exist', async () => {
  expect(await lookUp(new QuireError('not_found'))).toBe('none')
})

it.for([new QuireError('unavailable'), new QuireError('forbidden'), new Error('The disk is gone.')])(
  'leaves %s as it is',
  async (error) => {
    await expect(lookUp(error)).rejects.toBe(error)
  },
)
