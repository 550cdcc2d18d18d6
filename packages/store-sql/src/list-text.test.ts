import { expect, it } from 'vitest'
import { listText } from './list-text.ts'

it('a list is JSON that every database can read', () => {
  expect(listText(['a"b', 1, ['c', '😀']])).toBe('["a\\"b",1,["c","😀"]]')
  expect(JSON.parse(listText(['\ud800a', 'b\0', '\\ud800', ['\udc00']]))).toEqual([
    '\ufffda',
    'b\ufffd',
    '\\ud800',
    ['\ufffd'],
  ])
})
