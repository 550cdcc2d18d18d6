import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DeferredWrites, createDeferredWrites } from './deferred-writes.ts'
import { createSoundness } from './soundness.ts'
import { createWriteState, guardWrites, type WriteState } from './write-queue.ts'

describe('deferred writes', () => {
  let database: Database.Database
  let state: WriteState
  let writes: DeferredWrites
  beforeEach(() => {
    database = new Database(':memory:')
    database.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY) STRICT')
    state = createWriteState(createSoundness(':memory:'))
    writes = createDeferredWrites(database, guardWrites(database, state))
    database.exec('BEGIN IMMEDIATE')
    writes.reset()
  })
  afterEach(() => void database.close())

  const stored = () => database.prepare('SELECT number FROM rows ORDER BY number').pluck().all()
  const add = (number: number) =>
    writes.add(() => void database.prepare('INSERT INTO rows VALUES (?)').run(number))
  /** What a statement that reads sees. */
  const read = () => {
    writes.runAll()
    return stored()
  }
  const failing = async (work: () => void) => {
    const failed = writes.savepoint(async () => {
      work()
      throw new Error('mine')
    })
    await expect(failed).rejects.toThrow('mine')
  }

  it('run when something reads, and before the commit', async () => {
    await writes.savepoint(async () => add(1))
    expect(stored()).toEqual([])
    expect(read()).toEqual([1])
    await writes.savepoint(async () => add(2))
    writes.runAll()
    database.exec('COMMIT')
    expect(stored()).toEqual([1, 2])
  })

  it('are dropped with the savepoint that failed, whether they ran or not', async () => {
    await writes.savepoint(async () => add(1))
    await failing(() => add(2))
    await failing(() => {
      add(3)
      read()
      add(4)
    })
    await writes.savepoint(async () => add(5))
    expect(read()).toEqual([1, 5])
  })

  it('keep what an outer savepoint wrote when an inner one fails', async () => {
    await writes.savepoint(async () => {
      add(1)
      await failing(() => add(2))
      add(3)
      await failing(() => {
        add(4)
        expect(read()).toEqual([1, 3, 4])
      })
      await writes.savepoint(async () => add(5))
    })
    expect(read()).toEqual([1, 3, 5])
  })

  it('are undone with the outer savepoint, after an inner one has ended', async () => {
    await writes.savepoint(async () => add(1))
    await failing(() => {
      add(2)
      read()
    })
    await expect(
      writes.savepoint(async () => {
        await writes.savepoint(async () => {
          add(3)
          read()
        })
        throw new Error('outer')
      }),
    ).rejects.toThrow('outer')
    expect(read()).toEqual([1])
  })

  it('do not wait for long when there are many', async () => {
    await writes.savepoint(async () => {
      for (let number = 0; number < 300; number++) add(number)
      expect(stored().length).toBeGreaterThan(200)
    })
    await failing(() => {
      for (let number = 300; number < 900; number++) add(number)
    })
    expect(read()).toHaveLength(300)
  })

  it('undo what was written at once, too', async () => {
    await failing(() => {
      writes.beginSavepoints()
      database.exec('INSERT INTO rows VALUES (1)')
    })
    await writes.savepoint(async () => add(2))
    expect(read()).toEqual([2])
    expect(database.inTransaction).toBe(true)
  })

  it('fail the whole transaction when one of them fails, and let nothing more run in it', async () => {
    await writes.savepoint(async () => add(1))
    await writes.savepoint(async () => add(1))
    expect(() => writes.runAll()).toThrow('UNIQUE')
    expect(database.inTransaction).toBe(false)
    expect(state.lost).toBeInstanceOf(Error)
    add(2)
    expect(() => writes.runAll()).toThrow('UNIQUE')
    expect(stored()).toEqual([])
  })
})
