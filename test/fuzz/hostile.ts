import { JsonText } from './json-text.ts'
import type { Random } from './random.ts'

/**
 * Texts with a special meaning for databases, query languages, shells, templates, file systems or
 * parsers.
 */
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{d800}',
  'x\u{dc00}y',
  '\u{feff}',
  '\u{202e}',
  '\u{1f600}'.repeat(60),
  'e\u{301}'.repeat(40),
  'ß', // longer in upper case
  'İ', // longer in lower case
  '\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '٣',
  "'",
  "' OR 1=1 --",
  "'; DROP TABLE heads; --",
  '"',
  '""',
  '`',
  '%',
  '_',
  '\\',
  '%%%___',
  '*',
  'a* OR b*',
  '"a" NEAR/2 "b"',
  'AND OR NOT',
  ';--',
  'NEAR(',
  'a" OR "',
  'words : ink',
  '{words} : ink',
  '"ink" "',
  '<mark>ink</mark>',
  '東京都 インク',
  '(((',
  'col:term',
  '^a',
  '{a b}',
  '-term +term',
  '$',
  '$.a',
  "$.a'",
  '$[0]',
  '$."a"',
  '$[#-1]',
  '$.a[*]',
  'fields.',
  'fields..title',
  'fields.title.x',
  '.',
  '..',
  '../../etc/passwd',
  '/',
  '//',
  '\\\\host\\share',
  'a/b',
  'a b',
  'a+b',
  'a,b',
  ',',
  ',,,',
  '-',
  '--',
  '-,-',
  '[]',
  '{}',
  '[object Object]',
  '{{ 7 | times: 7 }}',
  '{% for i in (1..100000000) %}x{% endfor %}',
  '{% include "x" %}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!--',
  '<![CDATA[',
  '&#0;',
  '(a+)+$',
  '[',
  '(?<=a)b',
  '\\1',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  'data:text/html,x',
  'W/"1"',
  '"1"',
  'latest',
  'latestpublished',
  '0',
  '-1',
  '1.5',
  '9007199254740993',
  'true',
  'false',
] as const

/** Texts that cause repeated scans or growing buffers. */
const long: readonly ((length: number) => string)[] = [
  (length) => 'a'.repeat(length),
  (length) => '<'.repeat(length),
  (length) => '<b>'.repeat(length / 3),
  (length) => '&'.repeat(length),
  (length) => 'é'.repeat(length / 2),
  (length) => 'ab '.repeat(length / 3),
  (length) => '-'.repeat(length),
  (length) => `${' '.repeat(length)}x`,
  (length) => '\n'.repeat(length),
  (length) => 'a.'.repeat(length / 2),
  (length) => '('.repeat(length),
  (length) => '{{'.repeat(length / 2),
  (length) => '"'.repeat(length),
  (length) => '\\'.repeat(length),
  (length) => `"${'*'.repeat(length)}`,
]

const lengths = [201, 257, 501, 513, 10_001, 10_001, 70_000, 300_000] as const

/** A text that may break something. Long ones are rare, because they cost time. */
export function hostileText(random: Random): string {
  return random.chance(0.12) ? longText(random) : random.pick(texts)
}

/** A long text that repeats one mark. */
export function longText(random: Random): string {
  const make = random.pick(long) ?? String
  return make(random.pick(lengths))
}

const values: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -0,
  () => -1,
  () => 1.5,
  () => 1e9,
  () => 1e21,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -(2 ** 53) - 2,
  () => Number.MAX_VALUE,
  () => Number.MIN_VALUE,
  () => 8_640_000_000_000_001,
  () => new JsonText('1e400'),
  () => new JsonText('-1e400'),
  () => new JsonText('9'.repeat(400)),
  () => new JsonText('NaN'),
  () => new JsonText('{"__proto__":{"isAdmin":true}}'),
  () => new JsonText('{"constructor":{"prototype":{"isAdmin":true}}}'),
  () => new JsonText('{"a":1,"a":2}'),
  () => new JsonText('{"":""}'),
  () => [],
  () => [null],
  () => [[]],
  () => ({}),
  () => ({ length: 3 }),
  () => new JsonText('{"then":1,"toJSON":1,"valueOf":null,"toString":"x"}'),
  () => ({ $ref: '#' }),
  () => Array.from({ length: 600 }, (_, index) => `v${index}`),
  () => Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`m${index}`, index])),
  () => nestedArrays(63),
  () => nestedArrays(64),
  () => nestedArrays(65),
  () => nestedArrays(5000),
  () => nestedArrays(200_000),
  () => nestedObjects(70),
  () => nestedObjects(20_000),
]

/** A JSON value of an unexpected type or size. */
export function hostileValue(random: Random): unknown {
  if (random.chance(0.45)) return hostileText(random)
  const make = random.pick(values)
  return make?.()
}

function nestedArrays(depth: number): JsonText {
  return new JsonText('['.repeat(depth) + ']'.repeat(depth))
}

function nestedObjects(depth: number): JsonText {
  return new JsonText(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}
