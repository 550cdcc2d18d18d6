import { expect, it } from 'vitest'
import { withPackage } from './optional-package.ts'

it('a package that is not installed is named with the command that installs it', async () => {
  const name = '@quire/none'
  await expect(withPackage(name, () => import(/* @vite-ignore */ name))).rejects.toThrow(
    'This needs the package @quire/none: run npm install @quire/none, then try again.',
  )
})

it('other failures stay as they are', async () => {
  await expect(withPackage('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const other = Object.assign(new Error("Cannot find package 'b'"), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(withPackage('a', () => Promise.reject(other))).rejects.toBe(other)
})
