/** The members of an OpenAPI document that requests are made of. */
export interface ServedDocument {
  readonly paths: Readonly<Record<string, { readonly get?: ServedOperation }>>
  readonly components: { readonly parameters: Readonly<Record<string, ServedParameter>> }
}

interface ServedOperation {
  readonly operationId: string
  readonly parameters?: readonly (ServedParameter | { readonly $ref: string })[]
}

interface ServedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly example?: unknown
}

/** A GET request that is made of examples alone. */
export interface ExampleRequest {
  /** The operation, and the optional parameter that is sent. */
  readonly name: string
  /** Path and query string. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The requests that tools make when they try out the GET operations, with all examples. Optional
 * parameters have their examples in words: one more request for each.
 */
export function exampleRequests({ paths, components }: ServedDocument): ExampleRequest[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get) return []
    const parameters = (get.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? resolve(components.parameters, parameter.$ref) : parameter,
    )
    const given = parameters.filter(({ example }) => example !== undefined)
    const request = (sent: readonly ServedParameter[], name: string) => requestOf(path, sent, name)
    const inWords = parameters.flatMap((parameter) => {
      const example = /Example: `(.+)`$/.exec(parameter.description ?? '')?.[1]
      return example === undefined ? [] : [{ ...parameter, example }]
    })
    return [
      request(given, get.operationId),
      ...inWords.map((one) => request([...given, one], `${get.operationId} ${one.name}`)),
    ]
  })
}

function resolve(parameters: Readonly<Record<string, ServedParameter>>, reference: string): ServedParameter {
  const parameter = parameters[reference.slice(reference.lastIndexOf('/') + 1)]
  if (!parameter) throw new Error(`${reference} is not in the document`)
  return parameter
}

function requestOf(path: string, sent: readonly ServedParameter[], name: string): ExampleRequest {
  const texts = (location: ServedParameter['in']) =>
    sent.filter((one) => one.in === location).map((one) => [one.name, textOf(one.example)] as const)
  const inPath = new Map(texts('path'))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, member: string) =>
    encodeURIComponent(inPath.get(member) ?? ''),
  )
  const query = new URLSearchParams(texts('query').map((pair) => [...pair])).toString()
  return { name, target: query ? `${filled}?${query}` : filled, headers: Object.fromEntries(texts('header')) }
}

function textOf(example: unknown): string {
  return Array.isArray(example) ? example.join(',') : String(example)
}
