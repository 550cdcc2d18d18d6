import { useEffect } from 'react'

/** Frames after which whoever closes a dialog has given the focus back. */
const frames = 3

/**
 * Puts the focus beside what is gone: a form that was sent, a button whose work is done, a view that
 * was left. Otherwise the keyboard would start at the top of the page again, and a screen reader would
 * fall silent.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    // What had the focus last, outside of dialogs, and all around it, the innermost first.
    let trail: readonly Element[] = []
    let pending = false
    const isLost = () => document.activeElement === document.body && trail[0]?.isConnected === false
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') === null)
        trail = withAncestors(target)
    }
    const recover = (left: number) => {
      if (left > 0) {
        requestAnimationFrame(() => recover(left - 1))
        return
      }
      pending = false
      // The next view has no heading before it is loaded: then the next change of the page finds it.
      if (isLost() && focusBeside(trail)) trail = []
    }
    const observer = new MutationObserver(() => {
      if (pending || !isLost()) return
      pending = true
      recover(frames)
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

function withAncestors(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) found.push(one)
  return found
}

/**
 * Focuses the smallest that is left of them within the view; of a view that is left, the heading of the
 * next one. Returns whether there is one.
 */
function focusBeside(trail: readonly Element[]): boolean {
  const main = document.querySelector('main')
  const left = trail.find((one) => one.isConnected)
  const beside = left && main?.contains(left) && left !== main ? left : document.querySelector('h1')
  if (!(beside instanceof HTMLElement)) return false
  if (!beside.hasAttribute('tabindex')) beside.tabIndex = -1
  beside.focus({ preventScroll: true })
  return true
}
