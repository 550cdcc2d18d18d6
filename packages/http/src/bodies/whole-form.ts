import type { Route } from '@quire/contract/codec'
import {
  dataBytes,
  inputOf,
  malformed,
  requirePart,
  tooLarge,
  withoutData,
  withoutFileName,
  type ArrivingForm,
} from './form-parts.ts'

/** Decodes a form as `ReadForm`, with the file in memory and without any part of Node. */
export async function readWholeForm(route: Route, form: ArrivingForm): Promise<unknown> {
  const seen = new Set<string>()
  let data = ''
  let file: File | undefined
  for (const [name, value] of await partsOf(form)) {
    requirePart(name, seen)
    seen.add(name)
    if (name === 'data') data = await textOf(value)
    else if (typeof value === 'string') throw withoutFileName()
    else file = value
  }
  if (seen.size === 0 && route.body !== 'multipart') throw withoutData()
  return inputOf(route, data, file)
}

async function partsOf({ contentType, body }: ArrivingForm): Promise<FormData> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  try {
    for await (const chunk of body ?? []) chunks.push(new Uint8Array(chunk))
    const type = { headers: { 'content-type': contentType } }
    return await new Response(new Blob(chunks), type).formData()
  } catch (error) {
    throw malformed(error)
  }
}

async function textOf(value: string | File): Promise<string> {
  const text = typeof value === 'string' ? value : await value.text()
  if (new Blob([text]).size > dataBytes) throw tooLarge('data')
  return text
}
