import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uploads } from '../files/uploads/endpoints.ts'
import { decodeTusRequest } from './tus.ts'
import { invalidMember } from './invalid.ts'
import { decodeMetadata, encodeMetadata, encodeTusRequest } from './tus-request.ts'

const decode = (headers: Record<string, string>, endpoint = uploads.append) =>
  decodeTusRequest(endpoint, (name) => headers[name])

describe('metadata of an upload', () => {
  it('is a comma-separated list of keys and base64 values', () => {
    expect(encodeMetadata({ filename: 'Öl.jpg', empty: '', absent: undefined }, invalidMember)).toBe(
      'filename w5ZsLmpwZw==,empty',
    )
    expect(decodeMetadata('filename w5ZsLmpwZw==, empty,lone ', invalidMember)).toEqual({
      filename: 'Öl.jpg',
      empty: '',
      lone: '',
    })
  })

  it('survives the round trip', () => {
    const key = fc.stringMatching(/^[!-+\--~]{1,10}$/).filter((name) => name !== '__proto__')
    fc.assert(
      fc.property(
        fc.dictionary(
          key,
          fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
        ),
        (metadata) => {
          expect(decodeMetadata(encodeMetadata(metadata, invalidMember), invalidMember)).toEqual({
            ...metadata,
          })
        },
      ),
    )
  })

  it.each(['a b c', 'ü YQ==', 'a\tb YQ==', 'a !!!', 'a gA==', 'a YQ==,a YQ==', '__proto__ YQ=='])(
    '%j is rejected',
    (header) => {
      expect(() => decodeMetadata(header, invalidMember)).toThrow(/^metadata\./)
    },
  )

  it('with a key that a header cannot contain is rejected before it is sent', () => {
    expect(() => encodeTusRequest({ metadata: { 'a b': 'x' } }, invalidMember)).toThrow('metadata.a b')
  })
})

describe('the headers of an append', () => {
  it('have the offset and the checksum', () => {
    const sent = {
      'tus-resumable': '1.0.0',
      'upload-offset': '7',
      'upload-checksum': 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=',
    }
    expect(decode(sent)).toEqual({
      offset: 7,
      checksum: { algorithm: 'sha1', digest: 'Kq5sNclPz7QV2+lfQIuc6R7oRu0=' },
    })
  })

  it.each(['-1', '1e308', '+5', '9007199254740993', '0x10', ' 1', '', '1.0'])(
    'are rejected with the offset %j',
    (offset) => {
      expect(() => decode({ 'tus-resumable': '1.0.0', 'upload-offset': offset })).toThrow('Upload-Offset')
    },
  )

  it.each([{}, { 'tus-resumable': '0.2.2' }])(
    'are rejected for another version of the protocol: %j',
    (headers) => {
      expect(() => decode({ ...headers, 'upload-offset': '0' })).toThrow('Tus-Resumable: 1.0.0')
    },
  )
})
