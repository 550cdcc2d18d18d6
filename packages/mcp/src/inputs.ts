import { contract } from '@quire/contract'
import { z } from 'zod'
import { bounds } from './bounded.ts'

const { items, packages } = contract

/** The arguments that most tools share, as the contract declares them. */
const { configId, packageName, id, locale, version } = items.get.input.shape

/** The repository, under one name in all tools. */
export const repository = configId

/** The package to read in. */
export const inPackage = packageName.describe('Read in this package: main with its changes. Default: main')

/** The package to write into. */
export const intoPackage = packageName.describe(
  'The package of your task: write into it until it is merged. Default: a new one, whose name is in the answer',
)

/** A package that exists. */
export const thePackage = packages.get.input.shape.packageName

export { id, locale, version }

/** Entries of a page. */
export const limit = z
  .int()
  .min(1)
  .max(bounds.pageMost)
  .default(bounds.page)
  .describe(`At most ${bounds.pageMost}`)

/** Where a list goes on. */
export const cursor = items.list.input.shape.cursor.describe('`nextCursor` of the answer before')
