/**
 * Every operation with the content of its section. What the reference shares with OpenAPI (members,
 * errors, headers) is read from the document, so that the two cannot differ.
 */
export function describeOperations({ contract, document, encodeRequest }) {
  return contract.endpoints.map(({ group, operation, endpoint }) => {
    // OpenAPI has no syntax for a member that matches the rest of a path.
    const path = endpoint.path.replace('*}', '}')
    const described = document.paths[path][endpoint.method.toLowerCase()]
    return {
      group,
      operation,
      endpoint,
      keys: contract.permissionKeysOf(endpoint.permission),
      members: membersOf({ document, endpoint, described }),
      headers: headersOf(document, described),
      errors: errorsOf(described, endpoint, contract.errorTable),
      answer: answerOf(described),
      request: encodeRequest(endpoint, endpoint.example.input),
    }
  })
}

/** Path, query and body members in that order: `{ name, place, schema, isRequired }`. */
function membersOf({ document, endpoint, described: operation }) {
  const parameters = (operation.parameters ?? [])
    .filter(({ $ref }) => !$ref)
    .map(({ name, in: place, schema, description, required = false }) => ({
      name,
      place,
      // An object is sent as JSON, but callers of the client and the engine pass the object.
      schema: { ...(schema.contentSchema ?? schema), ...(description && { description }) },
      isRequired: required,
    }))
  if (endpoint.body === 'message') return [...parameters, ...messageMembers(endpoint)]
  const { content = {}, required: isRequired } = operation.requestBody ?? {}
  const [body = { properties: {} }] = Object.values(content).map(({ schema }) =>
    bodySchema(document, endpoint, { schema, isRequired }),
  )
  const required = new Set(body.required ?? [])
  const inBody = Object.entries(body.properties).map(([name, schema]) => ({
    name,
    place: endpoint.body === 'form' ? 'form' : 'body',
    schema,
    isRequired: required.has(name),
  }))
  return [...parameters, ...inBody]
}

/** The members of a proxied request, each of which is sent as its name says. */
function messageMembers({ input }) {
  const schemas = {
    method: { type: 'string' },
    query: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    body: { type: 'string', contentMediaType: 'application/octet-stream' },
  }
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    place: name,
    schema: { ...schema, description: descriptionOf(input.shape[name]) },
    isRequired: name === 'method',
  }))
}

/** The description of a shape, or of the shape that it makes optional. */
function descriptionOf(shape) {
  return shape.description ?? shape.def.innerType?.description
}

/** The members of a body as one object, also if they are sent in parts, as bytes or as a list. */
function bodySchema(document, endpoint, { schema, isRequired }) {
  if (endpoint.body === 'file' || endpoint.body === 'tus')
    return { properties: { file: described(schema) }, required: isRequired ? ['file'] : [] }
  if (endpoint.body === 'ids') return { properties: { ids: schema }, required: ['ids'] }
  if (endpoint.body !== 'multipart') return resolve(document, schema)
  const data = resolve(document, schema.properties.data)
  return { properties: { ...data.properties, file: described(schema.properties.file) }, required: ['file'] }
}

/** Describes a file, for which the document has only a media type. */
function described(schema) {
  return { ...schema, description: 'In TypeScript a File or a Blob; in process anything with `stream()`' }
}

function headersOf(document, described) {
  return (described.parameters ?? [])
    .filter(({ $ref }) => $ref)
    .map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1)])
}

/** `{ status, code }`; for the token endpoint, whose error body differs, `{ status, words }`. */
function errorsOf(described, endpoint, errorTable) {
  return Object.entries(described.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      if (response.$ref) return [{ status, code: response.$ref.split('/').at(-1) }]
      const [content] = Object.values(response.content)
      if (content.examples) return Object.keys(content.examples).map((code) => ({ status, code }))
      return [{ status, words: `\`{ "error": "${content.example.error}" }\`: ${response.description}` }]
    })
    .filter(({ code }) => code === undefined || code in errorTable)
}

/** Status, schema and example of the success response, and the headers that only it has. */
function answerOf(described) {
  const [status, response] = Object.entries(described.responses).find(([code]) => code < '300')
  const [content] = Object.values(response.content ?? {})
  const dry = status === '204' ? described.responses['200'] : undefined
  const headers = Object.entries(response.headers ?? {})
    .filter(([, { $ref }]) => !$ref)
    .map(([name, { description }]) => ({ name, description }))
  return {
    status,
    schema: content?.schema,
    example: content?.example,
    headers,
    isDryRunToo: dry !== undefined,
  }
}

/** The schema itself, or the one it refers to. */
function resolve(document, schema) {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
}
