import { StoreOpenError } from './store-open-error.ts'

/** Errors: StoreOpenError `schema` for what names no schema here. */
export function requireSchemaName(schema: string): void {
  if (/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) return
  throw new StoreOpenError(
    'schema',
    `The name of the schema is ${schema}: use small letters, digits and _, at most 50.`,
  )
}
