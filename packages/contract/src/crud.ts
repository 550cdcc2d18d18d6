import { z } from 'zod'
import { listInput, listOf } from './conventions.ts'
import { endpoint, type Endpoint, type Permission } from './endpoint.ts'

type Shape = z.ZodRawShape
type Strict<S extends Shape> = z.ZodObject<S, z.core.$strict>
type Given = Partial<Pick<Endpoint, 'summary' | 'description' | 'permission' | 'errors' | 'withoutRoom'>>
type ListInput = Pick<typeof listInput, 'limit' | 'cursor'>

/**
 * Describes the five endpoints of one kind of record. Members that are left out have the usual
 * value.
 */
interface CrudOf<
  K extends Shape,
  L extends Shape,
  C extends z.ZodObject,
  U extends Shape,
  O extends z.ZodType,
> {
  /** Path of the list. The path of one record appends the last name of `on`. */
  readonly path: string
  /** The input members that identify one record. */
  readonly on: K
  /** The record in a sentence, with its article: `a role`. */
  readonly one: string
  readonly many: string
  readonly view: Permission
  readonly write: Permission
  readonly output: O
  /** The example record: the input that identifies it, and its value. */
  readonly at: z.input<Strict<K>>
  readonly example: z.output<O>
  /** `input` replaces `pageInput`, the default. */
  readonly list?: Given & { readonly input: L; readonly example?: z.input<Strict<L>> }
  readonly create: Given & { readonly input: C; readonly example: z.input<C> }
  /**
   * `example` is a patch. `output` is the result, if it is more than the example record with the
   * patch.
   */
  readonly update: Given & {
    readonly input: U
    readonly example: z.input<Strict<U>>
    readonly output?: z.output<O>
  }
  readonly delete?: Given
}

/** List, read, create, change and delete. */
type Crud<K extends Shape, L extends Shape, C extends z.ZodObject, U extends Shape, O extends z.ZodType> = {
  readonly list: Endpoint<Strict<L>, ReturnType<typeof listOf<O>>>
  readonly get: Endpoint<Strict<K>, O>
  readonly create: Endpoint<C, O>
  readonly update: Endpoint<Strict<K & U>, O>
  readonly delete: Endpoint<Strict<K>, z.ZodUndefined>
}

// The same types inside `crud`, where the shapes are only spread.
type Sample = Readonly<Record<string, unknown>>
type Listing = Given & { readonly input: Shape; readonly example?: Sample }
type Patching = Given & { readonly input: Shape; readonly example: Sample; readonly output?: unknown }

/** The input of a list that takes nothing but a page. */
export const pageInput: ListInput = { limit: listInput.limit, cursor: listInput.cursor }

/** Declares the endpoints of records that are listed, read, created, changed and deleted. */
export function crud<
  const K extends Shape,
  C extends z.ZodObject,
  const U extends Shape,
  O extends z.ZodType,
  const L extends Shape = ListInput,
>(of: CrudOf<K, L, C, U, O>): Crud<K, L, C, U, O> {
  const { path, on, one, many, view, write, output, at, example } = of
  const { input: listed, example: listExample = {}, ...list }: Listing = of.list ?? { input: pageInput }
  const { input: created, example: createExample, ...create } = of.create
  const { input: patch, example: patchExample, output: patched, ...update }: Patching = of.update
  const single = `${path}/{${Object.keys(on).at(-1)}}`
  const endpoints = {
    list: endpoint({
      binding: `GET ${path}`,
      summary: `List ${many}`,
      permission: view,
      input: z.strictObject(listed),
      output: listOf(z.unknown()),
      errors: [],
      ...list,
      example: { input: listExample, output: { count: 1, items: [example] } },
    }),
    get: endpoint({
      binding: `GET ${single}`,
      summary: `Read ${one}`,
      permission: view,
      input: z.strictObject(on),
      output,
      errors: ['not_found'],
      example: { input: at, output: example },
    }),
    create: endpoint({
      binding: `POST ${path}`,
      summary: `Create ${one}`,
      permission: write,
      output,
      success: 201,
      errors: ['name_taken', 'idempotency_mismatch'],
      ...create,
      input: created,
      example: { input: createExample, output: example },
    }),
    update: endpoint({
      binding: `PATCH ${single}`,
      summary: `Change ${one}`,
      permission: write,
      errors: ['not_found', 'name_taken', 'precondition_failed'],
      ...update,
      input: z.strictObject<Shape>({ ...on, ...patch }),
      output: z.unknown(),
      example: {
        input: { ...at, ...patchExample },
        output: patched ?? { ...Object(example), ...patchExample },
      },
    }),
    delete: endpoint({
      binding: `DELETE ${single}`,
      summary: `Delete ${one}`,
      permission: write,
      input: z.strictObject(on),
      output: z.undefined(),
      success: 204,
      errors: ['not_found', 'precondition_failed'],
      ...of.delete,
      example: { input: at },
    }),
  }
  // The shapes above are spread by name; this cast gives callers their exact types.
  return {
    ...endpoints,
    list: { ...endpoints.list, output: listOf(output) },
    update: { ...endpoints.update, output },
  } as unknown as Crud<K, L, C, U, O>
}

type Sent<T> = T extends z.ZodDefault<infer I> | z.ZodPrefault<infer I> ? I : T

/** The members of a patch: each may be left out, and none has a default. */
export function patchOf<S extends Shape>(shape: S): { [M in keyof S]: z.ZodOptional<Sent<S[M]>> } {
  const members = Object.entries(shape).map(([name, member]) => {
    const sent = member instanceof z.ZodDefault || member instanceof z.ZodPrefault ? member.unwrap() : member
    return [name, z.optional(sent)] as const
  })
  // A loop over the names cannot have the mapped type.
  return Object.fromEntries(members) as { [M in keyof S]: z.ZodOptional<Sent<S[M]>> }
}
