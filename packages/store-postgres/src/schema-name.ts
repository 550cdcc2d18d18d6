import { StoreOpenError } from './store-open-error.ts'

/** Errors: StoreOpenError `schema` for an invalid schema name. */
export function requireSchemaName(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) return
  throw new StoreOpenError(
    'schema',
    `The schema name ${schema} is invalid: use at most 50 lower-case letters, digits and _.`,
  )
}
