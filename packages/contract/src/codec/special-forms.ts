import type { BodyForm } from '../forms.ts'
import { encodeProxiedRequest } from './proxied.ts'
import { encodeSignedRequest } from './signed.ts'
import { requireFile } from './require-file.ts'
import type { InvalidMember } from './invalid.ts'
import type { SpecialForm, SpecialRequest } from './special-form.ts'
import { encodeTokenRequest, refusalOfToken } from './token-request.ts'
import { decodeTusAnswer } from './tus-answer.ts'
import { encodeTusRequest } from './tus-request.ts'

/**
 * The special forms, by the form of the body. A client loads them with the first such call. They
 * import nothing that it loads at once, and are given what they need of it: a bundler would put what
 * both import into further files, which every page would have to load.
 */
export const specialForms: { readonly [F in BodyForm]?: SpecialForm } = {
  file: { encode: ({ file, ...search }, invalid) => ({ search, file: requireFile(file, invalid) }) },
  ids: { encode: ({ ids }) => ({ headers: jsonType, json: ids }) },
  multipart: { encode: encodeParts },
  jsonOrMultipart: {
    encode: (members, invalid) =>
      members['file'] === undefined ? { headers: jsonType, json: members } : encodeParts(members, invalid),
  },
  form: { encode: encodeTokenRequest, refusal: refusalOfToken },
  tus: { encode: encodeTusRequest, decode: decodeTusAnswer },
  signed: { encode: encodeSignedRequest },
  message: {
    encode: encodeProxiedRequest,
    options: ({ requestId, program }) => ({ ...(requestId && { requestId }), ...(program && { program }) }),
  },
}

const jsonType = { 'content-type': 'application/json' }

function encodeParts({ file, ...json }: Members, invalid: InvalidMember): SpecialRequest {
  return { json, file: requireFile(file, invalid), isForm: true }
}

type Members = Readonly<Record<string, unknown>>

export { proxiedHeadersOf } from './proxied.ts'
