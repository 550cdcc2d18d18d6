import { describe, expect, it } from 'vitest'
import type { Prepared, Row, SqlDriver } from '../driver.ts'
import { piece, value } from './sql-part.ts'
import { createShapes } from './shapes.ts'

function countingDriver() {
  let prepared = 0
  const statement: Prepared<never> = {
    all: async () => [],
    get: async () => undefined,
    run: async () => 0,
    send: async () => undefined,
  }
  const driver: SqlDriver = {
    prepare<R extends Row>(): Prepared<R> {
      prepared += 1
      return statement
    },
  }
  return { driver, prepared: () => prepared }
}

const shape = (size: number) => piece`SELECT ${value('x'.repeat(size))}${piece`${value(1)}`}`
const ofLength = (length: number) =>
  Array.from({ length }).reduce<ReturnType<typeof piece>>((all) => piece`${all},`, piece``)

describe('shapes', () => {
  it('compile a shape once, whatever its values', async () => {
    const { driver, prepared } = countingDriver()
    const shapes = createShapes(driver)
    for (let size = 0; size < 10; size += 1) await shapes.all(shape(size))
    expect(prepared()).toBe(1)
  })

  it('drop the least recently used shape when there are more than 500', async () => {
    const { driver, prepared } = countingDriver()
    const shapes = createShapes(driver)
    for (let length = 0; length < 500; length += 1) await shapes.all(ofLength(length))
    await shapes.all(ofLength(0))
    await shapes.all(ofLength(500))
    expect(prepared()).toBe(501)
    await shapes.all(ofLength(0))
    expect(prepared()).toBe(501)
    await shapes.all(ofLength(1))
    expect(prepared()).toBe(502)
  })
})
