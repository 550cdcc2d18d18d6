import type { FileChooser, Page } from 'playwright-core'

/** A way in which a person uses a page. Names are what people see, and what a screen reader says. */
export interface Way {
  /** Presses a button or a link. */
  readonly press: (name: string) => Promise<void>
  /** Replaces what is in a field. */
  readonly type: (label: string, text: string) => Promise<void>
  /** Chooses in a list. */
  readonly choose: (label: string, option: string) => Promise<void>
  /** Chooses one side of a group. */
  readonly side: (group: string, side: string) => Promise<void>
  /** Chooses a file for the field with this label. */
  readonly file: (label: string, file: { name: string; mimeType: string; buffer: Buffer }) => Promise<void>
}

/** By mouse; it types only where text belongs. */
export function byMouse(page: Page): Way {
  const field = (label: string) => page.getByLabel(label).first()
  return {
    press: (name) =>
      page
        .getByRole('alertdialog')
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('button', { name, exact: true }))
        .or(page.getByRole('link', { name, exact: true }))
        .last()
        .click(),
    type: async (label, text) => {
      await field(label).click()
      await field(label).fill(text)
    },
    choose: async (label, option) => {
      await field(label).selectOption({ label: option })
    },
    side: (group, side) =>
      page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: side }).check({ force: true }),
    file: async (label, file) => {
      const chooser = page.waitForEvent('filechooser')
      await field(label).click()
      await (await chooser).setFiles(file)
    },
  }
}

// The name of what has the focus, as it begins: a label may end with a hint.
const nameOfFocused = `(() => {
  const { activeElement: focused } = document
  const text = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent
  const group = focused.closest('[role=radiogroup]')
  const groupName = group && document.getElementById(group.getAttribute('aria-labelledby'))?.textContent
  return { name: (text ?? '').trim(), group: (groupName ?? '').trim() }
})()`

interface Focused {
  readonly name: string
  readonly group: string
}

/** What to reach with the Tab key. */
interface Sought {
  readonly what: string
  readonly isIt: (focused: Focused) => boolean
  /** After so many presses it counts as out of reach. Default: 250. */
  readonly most?: number
}

/** Presses Tab until the focus is where it is to be. Errors: it cannot be reached. */
async function tabUntil(page: Page, { what, isIt, most = 250 }: Sought): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    if (isIt(await page.evaluate<Focused>(nameOfFocused))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`"${what}" cannot be reached with the Tab key.`)
}

/** Presses Tab until the focus is on the next thing with this name. Errors: it cannot be reached. */
export async function pressUntil(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Tab')
  await tabUntil(page, { what: name, isIt: (focused) => focused.name === name, most: 80 })
}

/**
 * Presses Space until the file chooser of what has the focus is reported: a key that comes before
 * Chromium reports choosers opens one that nobody sees. Errors: none in 4 tries; the focus is lost.
 */
async function chooserOfFocused(page: Page): Promise<FileChooser> {
  const { name } = await page.evaluate<Focused>(nameOfFocused)
  for (let tries = 0; tries < 4; tries += 1) {
    const chooser = page.waitForEvent('filechooser', { timeout: 4_000 }).catch(() => null)
    await page.keyboard.press('Space')
    const found = await chooser
    if (found) return found
    const focused = await page.evaluate<Focused>(nameOfFocused)
    if (focused.name !== name) throw new Error(`The focus went from "${name}" to "${focused.name}".`)
  }
  throw new Error(`"${name}" opens no file chooser.`)
}

/** By the keyboard alone: what cannot be reached with Tab cannot be used. */
export function byKeyboard(page: Page): Way {
  const { keyboard } = page
  const to = async (name: string) => {
    await page.getByText(name).or(page.getByLabel(name)).first().waitFor()
    const isIt = (focused: Focused) => focused.name === name || focused.name.startsWith(`${name} `)
    await tabUntil(page, { what: name, isIt })
  }
  return {
    press: async (name) => {
      await to(name)
      await keyboard.press('Enter')
      // The same name can be there twice, as a button and in the question that it asks.
      await keyboard.press('Tab')
    },
    type: async (label, text) => {
      await to(label)
      await keyboard.press('Control+a')
      await keyboard.type(text)
    },
    choose: async (label, option) => {
      await to(label)
      await keyboard.type(option)
      await keyboard.press('Tab')
    },
    side: async (group, side) => {
      await tabUntil(page, { what: group, isIt: (focused) => focused.group === group })
      for (let presses = 0; presses < 4; presses += 1) {
        const { name } = await page.evaluate<Focused>(nameOfFocused)
        if (name.startsWith(side)) return keyboard.press('Space')
        await keyboard.press('ArrowDown')
      }
      throw new Error(`"${side}" is not in the group "${group}".`)
    },
    file: async (label, file) => {
      await to(label)
      await (await chooserOfFocused(page)).setFiles(file)
    },
  }
}
