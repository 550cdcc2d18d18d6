import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainAnswers } from './plain-history.ts'

const recorded: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('plain-answers.json', import.meta.url), 'utf8'),
)

describe('a repository without locales', () => {
  it('answers byte for byte as before there were any', async () => {
    const answers = await plainAnswers()
    expect(Object.keys(answers)).toEqual(Object.keys(recorded))
    for (const [name, answer] of Object.entries(answers)) expect(answer, name).toBe(recorded[name])
  })
})
