import { describe, expect, it } from 'vitest'
import { aFolder, inFolder } from '../../test/cli.ts'
import { demoLines } from './demo-lines.ts'
import { loadDemo } from './load-demo.ts'

describe('the lines about the demo', () => {
  it('have an address that signs in only on a terminal', { timeout: 60_000 }, async () => {
    await inFolder(aFolder(), async (opened) => {
      opened.quire.work()
      await loadDemo(opened, { write: () => undefined })
      const shown = await demoLines(opened.quire, { isTerminal: true, hasConsole: false })
      expect(shown).toMatch(/^ {2}Review +http\S+\/api\/user\/login\?ticket=[\w-]+&returnTo=%2F\S+$/m)
      const inConsole = await demoLines(opened.quire, { isTerminal: true, hasConsole: true })
      expect(inConsole).toContain('&returnTo=%2Fconsole%2Fmagazine%2Fpackages%2Fwinter-issue\n')
      const logged = await demoLines(opened.quire, { isTerminal: false, hasConsole: true })
      expect(logged).not.toContain('ticket=')
      expect(logged).toMatch(/^ {2}Review +quire sign-in reviewer@deckle\.example --url \S+ /m)
      expect(logged.match(/Review|Site/g)).toEqual(['Site', 'Review'])
    })
  })
})
